package life

import (
	"fmt"
	"math"
	"strconv"
)

// parseReply reads an external player's reply, a JSON array of pairs of integers, and appends the
// cells, y before x. One faulty entry makes the whole reply an error, also behind the entries that
// count; the original placed what stood before it, or hung. Coordinates beyond the range of int32
// become its ends, which lie off every board.
func parseReply(text []byte, dst []cell) ([]cell, error) {
	p := replyParser{text: text}
	cells, err := p.cells(dst)
	if err != nil {
		return dst, fmt.Errorf(
			"life: the reply is no JSON array of pairs of integers: %w at byte %d", err, p.at)
	}
	return cells, nil
}

type replyParser struct {
	text []byte
	at   int
}

// skip passes white space and returns the next byte, 0 at the end.
func (p *replyParser) skip() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take passes one byte, which must be c.
func (p *replyParser) take(c byte) error {
	if p.skip() != c || p.at >= len(p.text) {
		return fmt.Errorf("no %q", c)
	}
	p.at++
	return nil
}

func (p *replyParser) cells(dst []cell) ([]cell, error) {
	if err := p.take('['); err != nil {
		return dst, err
	}
	if p.skip() != ']' {
		for {
			cell, err := p.pair()
			if err != nil {
				return dst, err
			}
			dst = append(dst, cell)
			if p.skip() == ']' {
				break
			}
			if err := p.take(','); err != nil {
				return dst, err
			}
		}
	}
	p.at++
	if p.skip(); p.at < len(p.text) {
		return dst, fmt.Errorf("something follows")
	}
	return dst, nil
}

func (p *replyParser) pair() (c cell, err error) {
	if err = p.take('['); err != nil {
		return c, err
	}
	if c.y, err = p.integer(); err != nil {
		return c, err
	}
	if err = p.take(','); err != nil {
		return c, err
	}
	if c.x, err = p.integer(); err != nil {
		return c, err
	}
	return c, p.take(']')
}

// integer reads a JSON number without fraction and exponent.
func (p *replyParser) integer() (int32, error) {
	p.skip()
	start := p.at
	if p.at < len(p.text) && p.text[p.at] == '-' {
		p.at++
	}
	digits := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	if p.at == digits || p.text[digits] == '0' && p.at > digits+1 {
		return 0, fmt.Errorf("no integer")
	}
	v, err := strconv.ParseInt(string(p.text[start:p.at]), 10, 32)
	if err != nil { // out of range
		if p.text[start] == '-' {
			return math.MinInt32, nil
		}
		return math.MaxInt32, nil
	}
	return int32(v), nil
}
