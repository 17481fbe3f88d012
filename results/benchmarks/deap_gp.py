"""The two benchmarks of this folder in DEAP, with ECJ's parameters as koza.toml has them.

Usage: deap_gp.py ant|multiplexer FIRST LAST     seeds FIRST to LAST, from the top of the repository

It prints a line for each run: the best fitness, the ideal one, individuals and processor time. DEAP
is told no more than its manual shows, with two favours: the multiplexer is computed on whole
numbers of 2,048 bits, one for all cases, and an individual that was not changed is not evaluated
again.
"""

import operator
import random
import re
import sys
import time

from deap import base, creator, gp, tools

ACTIONS = 400


class Random:
    """The module random, whose sample takes sets as DEAP 1.3 expects and Python 3.11 refuses."""

    def __getattr__(self, name):
        return getattr(random, name)

    @staticmethod
    def sample(population, count):
        return random.sample(list(population), count)


gp.random = Random()


def ant():
    """Returns the vocabulary of the ant, its evaluation and the ideal fitness."""
    source = open("engine/games/santafe/rules.go", encoding="utf-8").read()
    rows = re.search(r"const trail = `(.*?)`", source, re.S).group(1).split("\n")
    food = frozenset((y, x) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "#")
    ahead = ((0, 1), (1, 0), (0, -1), (-1, 0))

    class World:
        def start(self):
            self.food, self.y, self.x, self.heading = set(food), 0, 0, 0
            self.time = self.eaten = 0

        def left(self):
            if self.time < ACTIONS:
                self.time += 1
                self.heading = (self.heading - 1) % 4

        def right(self):
            if self.time < ACTIONS:
                self.time += 1
                self.heading = (self.heading + 1) % 4

        def front(self):
            dy, dx = ahead[self.heading]
            return (self.y + dy) % 32, (self.x + dx) % 32

        def move(self):
            if self.time < ACTIONS:
                self.time += 1
                self.y, self.x = self.front()
                if self.time < ACTIONS and (self.y, self.x) in self.food:
                    self.food.remove((self.y, self.x))
                    self.eaten += 1

    world = World()

    def sequence(*parts):
        def run():
            for part in parts:
                part()
        return run

    def if_food_ahead(yes, no):
        def run():
            (yes if world.front() in world.food else no)()
        return run

    names = gp.PrimitiveSet("MAIN", 0)
    names.addPrimitive(if_food_ahead, 2)
    names.addPrimitive(sequence, 2, name="progn2")
    names.addPrimitive(sequence, 3, name="progn3")
    for act in (world.move, world.left, world.right):
        names.addTerminal(act, name=act.__name__)

    def evaluate(tree):
        program = gp.compile(tree, names)
        world.start()
        while world.time < ACTIONS and world.eaten < len(food):
            program()
        return (world.eaten,)

    return names, evaluate, len(food), 1024


def multiplexer():
    """Returns the vocabulary of the 11-multiplexer, its evaluation and the ideal fitness."""
    cases = 2048
    every = (1 << cases) - 1
    inputs = [sum((n >> i & 1) << n for n in range(cases)) for i in range(11)]
    wanted = sum((n >> (3 + (n & 7)) & 1) << n for n in range(cases))
    names = gp.PrimitiveSet("MAIN", 11)
    names.addPrimitive(operator.and_, 2)
    names.addPrimitive(operator.or_, 2)
    names.addPrimitive(lambda a: a ^ every, 1, name="negate")
    names.addPrimitive(lambda a, b, c: a & b | ~a & c, 3, name="choose")

    def evaluate(tree):
        program = gp.compile(tree, names)
        return (cases - ((program(*inputs) ^ wanted) & every).bit_count(),)

    return names, evaluate, cases, 4000


def run(problem, seed):
    names, evaluate, ideal, population = problem()
    random.seed(seed)
    if not hasattr(creator, "Tree"):
        creator.create("Fitness", base.Fitness, weights=(1.0,))
        creator.create("Tree", gp.PrimitiveTree, fitness=creator.Fitness)

    def grow():
        return creator.Tree(gp.genHalfAndHalf(names, min_=2, max_=6))

    limited = gp.staticLimit(key=operator.attrgetter("height"), max_value=17)(
        lambda a, b: gp.cxOnePointLeafBiased(a, b, termpb=0.1))
    trees = [grow() for _ in range(population)]
    individuals = 0
    for generation in range(51):
        if generation > 0:
            trees = [copied(t) for t in tools.selTournament(trees, population, tournsize=7)]
            for i in range(1, population, 2):
                if random.random() < 0.947368421:
                    trees[i - 1], trees[i] = limited(trees[i - 1], trees[i])
                    del trees[i - 1].fitness.values, trees[i].fitness.values
        for tree in trees:
            if not tree.fitness.valid:
                tree.fitness.values = evaluate(tree)
                individuals += 1
        best = max(trees, key=lambda t: t.fitness.values[0])
        if best.fitness.values[0] >= ideal:
            break
    return best.fitness.values[0], ideal, individuals


def copied(tree):
    """Returns a copy of an individual with its fitness."""
    new = creator.Tree(tree)
    new.fitness.values = tree.fitness.values
    return new


def main():
    sys.setrecursionlimit(10000)
    problem = {"ant": ant, "multiplexer": multiplexer}[sys.argv[1]]
    for seed in range(int(sys.argv[2]), int(sys.argv[3]) + 1):
        began = time.process_time()
        best, ideal, individuals = run(problem, seed)
        print(f"seed {seed}: best {best:.0f} of {ideal}, {individuals} individuals, "
              f"{time.process_time() - began:.2f} s", flush=True)


if __name__ == "__main__":
    main()
