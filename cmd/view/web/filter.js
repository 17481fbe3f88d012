// What is written above the table of runs: words, or an expression such as
// wins > 0.4 and population = 500.

const operators = {
  "=": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b,
  ">": (a, b) => a > b, ">=": (a, b) => a >= b, "~": (a, b) => String(a).includes(String(b)),
};

const own = {
  wins: (r) => r.wins?.share, games: (r) => r.wins?.games, speed: (r) => r.gamesPerSecond,
    nodes: (r) => r.size,
  note: (r) => r.remark ?? "", star: (r) => (starred(r) ? 1 : 0),
};

const fields = ["study", "run", "game", "seed", "state", "generation", "generations", "champion"];

// starred tells whether a run's note begins with a star.
export const starred = (r) => (r.remark ?? "").startsWith("★");

// value returns what a name stands for in a run: a column, or a setting by its key or its end.
function value(r, name, settings) {
  if (own[name]) return own[name](r);
  if (fields.includes(name)) return r[name];
  const key = Object.keys(settings).find((k) => k === name || k.endsWith(`.${name}`));
  return key === undefined ? undefined : settings[key];
}

// comparable makes a number of what looks like one, where both do.
function comparable(a, b) {
  const [x, y] = [a, b].map(Number);
  return String(a).trim() !== "" && String(b).trim() !== "" && !Number.isNaN(x) && !Number.isNaN(y)
    ? [x, y] : [String(a), String(b)];
}

// filter returns a function that tells whether a run with its settings is wanted. It throws an
// error that says what in an expression is wrong; known are the names of settings.
export function filter(text, known) {
  if (!/[<>=~]/.test(text)) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return (r) =>
      words.every((word) =>
        `${r.study} ${r.run} ${r.seed} ${r.title} ${r.state} ${r.remark ?? ""}`.toLowerCase()
          .includes(word));
  }
  const any = text.split(/\s+or\s+/i).map((all) => all.split(/\s+and\s+/i).map((term) => {
    const [, name, sign, to] = /^\s*([\w.-]+)\s*(<=|>=|!=|=|<|>|~)\s*"?([^"]*?)"?\s*$/.exec(term)
      ?? [];
    if (!name) throw new Error(`“${term.trim()}” is no comparison such as wins > 0.4`);
    if (!own[name] && !fields.includes(name)
      && !known.some((k) => k === name || k.endsWith(`.${name}`))) {
      throw new Error(
        `no column or setting in which runs differ is called ${name}; there are `
          + `${[...fields, ...Object.keys(own), ...known].join(", ")}`);
    }
    return (r, settings) => {
      const is = value(r, name, settings);
      return is !== undefined && operators[sign](...comparable(is, to));
    };
  }));
  return (r, settings) => any.some((all) => all.every((term) => term(r, settings)));
}
