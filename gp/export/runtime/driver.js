"use strict";

const fs = require("fs");
const f32 = Math.fround; // every operation is rounded to binary32

let givenNumbers = [];
let answerNumbers = [];
let unread = Buffer.alloc(0);

// line returns the next line of standard input, null at its end.
function line() {
    for (;;) {
        const end = unread.indexOf(10);
        if (end >= 0) {
            const text = unread.toString("latin1", 0, end);
            unread = unread.subarray(end + 1);
            return text;
        }
        const block = Buffer.alloc(1 << 16);
        let n = 0;
        try {
            n = fs.readSync(0, block, 0, block.length, null);
        } catch (e) {
            if (e.code === "EAGAIN") continue;
            if (e.code !== "EOF") throw e;
        }
        if (n === 0) {
            const text = unread.length > 0 ? unread.toString("latin1") : null;
            unread = Buffer.alloc(0);
            return text;
        }
        unread = Buffer.concat([unread, block.subarray(0, n)]);
    }
}

// hear reads a line: every whole number in it, whatever stands between.
function hear() {
    const text = line();
    if (text === null) return false;
    givenNumbers = (text.match(/-?\d+/g) || []).map(Number);
    answerNumbers = [];
    return true;
}

const givens = () => givenNumbers.length;
const given = (i) => (i < givenNumbers.length ? givenNumbers[i] : 0);
const givenLong = given;
const answer = (number) => answerNumbers.push(number);
const stop = () => process.exit(0);

// say prints the answer as a line.
function say() {
    const parts = answerNumbers.map((n, i) => (i === 0 ? FIRST : i % 2 === 1 ? INNER : OUTER) + n);
    fs.writeSync(1, parts.join("") + (parts.length > 0 ? LAST : EMPTY) + "\n");
}

// zeros makes an array of the given sizes.
function zeros(value, size, ...sizes) {
    return Array.from({ length: size }, () => (sizes.length > 0 ? zeros(value, ...sizes) : value));
}
