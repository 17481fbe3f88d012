"use strict";

const fs = require("fs");
const f32 = Math.fround; // every operation is rounded to binary32

// The numbers of the line and, if it is JSON, its tokens and which token stands behind the value
// that begins with each.
let givenNumbers = [];
let answerNumbers = [];
let tokens = [];
let tokenBehind = [];
let lineNumber = 0;
let output = "";
let unread = Buffer.alloc(0);

// fail ends the program with a message.
function fail(why) {
    fs.writeSync(2, `NAME: line ${lineNumber}: ${why}\n`);
    process.exit(1);
}

const lack = (name) => fail(`the line lacks "${name}"`);

// nextLine returns the next line of standard input, null at its end.
function nextLine() {
    const blocks = [];
    for (;;) {
        const end = unread.indexOf(10);
        if (end >= 0) {
            blocks.push(unread.subarray(0, end));
            unread = unread.subarray(end + 1);
            return Buffer.concat(blocks).toString("latin1");
        }
        blocks.push(unread);
        const block = Buffer.alloc(1 << 16);
        let n = 0;
        try {
            n = fs.readSync(0, block, 0, block.length, null);
        } catch (e) {
            if (e.code !== "EAGAIN" && e.code !== "EOF") throw e;
            unread = Buffer.alloc(0);
            if (e.code === "EAGAIN") continue;
        }
        unread = block.subarray(0, n);
        if (n === 0) {
            const text = Buffer.concat(blocks).toString("latin1");
            return text === "" ? null : text;
        }
    }
}

// wholeNumber reads a whole number of at most 18 digits.
function wholeNumber(word) {
    if (!/^-?\d{1,18}$/.test(word)) fail("there is no whole number where one is due");
    return Number(word);
}

// tokenize finds the tokens of a line of JSON, and holds that brackets match.
function tokenize(text) {
    const word = /[ \t\r]+|"(?:[^"\\]|\\.)*"|-?\d[-+.\dEe]*|[a-z]+|[{}[\],:]/y;
    const open = [];
    while (word.lastIndex < text.length) {
        const at = word.lastIndex;
        const found = word.exec(text);
        if (!found) {
            fail(text[at] === '"' ? "the line ends within a text" : "the line is no JSON");
        }
        const t = found[0];
        if (t[0] === " " || t[0] === "\t" || t[0] === "\r") continue;
        if (t === "{" || t === "[") open.push(tokens.length);
        tokens.push(t);
        tokenBehind.push(tokens.length);
        if (t === "}" || t === "]") {
            const from = open.pop();
            if (from === undefined || tokens[from] !== (t === "}" ? "{" : "[")) {
                fail("the brackets of the line do not match");
            }
            tokenBehind[from] = tokens.length;
        }
    }
    if (open.length > 0) fail("the line ends within brackets");
    if (tokenBehind[0] !== tokens.length) fail("more stands behind the object");
}

// hear reads a line: numbers with blanks between, or a JSON object. It tells whether there was one.
function hear() {
    const line = nextLine();
    if (line === null) return false;
    lineNumber++;
    givenNumbers = [];
    answerNumbers = [];
    tokens = [];
    tokenBehind = [];
    const text = line.trim();
    if (text.startsWith("{")) tokenize(text);
    else if (text !== "") givenNumbers = text.split(/[ \t\r]+/).map(wholeNumber);
    return true;
}

const give = (number) => givenNumbers.push(number);
const giveLong = give;
const givens = () => givenNumbers.length;

function givenLong(i) {
    if (i < 0 || i >= givenNumbers.length) fail("the line has too few numbers");
    return givenNumbers[i];
}

function given(i) {
    const number = givenLong(i);
    if (Math.abs(number) > 2147483647) fail("a number of the line is too large");
    return number;
}

const answer = (number) => answerNumbers.push(number);
const answers = () => answerNumbers.length;
const answered = (i) => answerNumbers[i];

// token returns what a token begins with, '0' for any number, -1 where there is no token.
function token(i) {
    if (i < 0 || i >= tokens.length) return -1;
    const c = tokens[i].charCodeAt(0);
    return c === 45 || (c >= 48 && c <= 57) ? 48 : c;
}

const behind = (i) => (i < tokens.length ? tokenBehind[i] : i + 1);
const same = (i, word) => token(i) === 34 && tokens[i] === `"${word}"`;
const letters = (i) => (token(i) === 34 ? tokens[i].length - 2 : 0);
const letter = (i, n) => tokens[i].charCodeAt(1 + n);

function longAt(i) {
    if (token(i) !== 48) fail("there is no number where one is due");
    return wholeNumber(tokens[i]);
}

function floatAt(i) {
    const value = token(i) === 48 ? Number(tokens[i]) : NaN;
    if (value !== value) fail("there is no number where one is due");
    return f32(value);
}

function emit(part) {
    output += part;
}

// emitWord prints one of the words between bars.
const emitWord = (words, n) => emit(words.split("|")[n]);
const emitNumber = emit;

function endLine() {
    const line = Buffer.from(output + "\n", "latin1");
    for (let n = 0; n < line.length; ) {
        try {
            n += fs.writeSync(1, line, n);
        } catch (e) {
            if (e.code !== "EAGAIN") throw e;
        }
    }
    output = "";
}

const stop = () => process.exit(0);

// zeros makes an array of the given sizes.
function zeros(value, size, ...sizes) {
    return Array.from({ length: size }, () => (sizes.length > 0 ? zeros(value, ...sizes) : value));
}
