

class TYPE:
    def __init__(self):
        FIELDS


VAR = None
VAR_all = {}
VARNone = VAR_all.clear


def VAROf(number):
    global VAR
    fresh = number not in VAR_all
    if fresh:
        VAR_all[number] = TYPE()
    VAR = VAR_all[number]
    return fresh
