
class TYPE {
    constructor() {
        FIELDS
    }
}

let VAR = null;
const VARAll = new Map();

const VARNone = () => VARAll.clear();

function VAROf(number) {
    const fresh = !VARAll.has(number);
    if (fresh) VARAll.set(number, new TYPE());
    VAR = VARAll.get(number);
    return fresh;
}
