package export

import (
	"cmp"
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"clade/gp"
)

// language is how a general language writes trees and the runtime.
type language struct {
	Syntax
	name, title, extension string
	comment                string // what a line of comment begins with
	head                   func(name string, params []string, result types.Type) string
	parameter              func(name string, typ types.Type) string
	declare                func(name string, typ types.Type, value string, global,
		constant bool) string
	loop          func(counter, times string) string // the head of a loop from 0
	convert       func(x string, from, to types.Type) string
	brackets      []string // around blocks; nil if indentation marks them
	array         [2]string
	truth         map[bool]string
	and, or       string
	round         string // written before a bracket, rounds to binary32
	quotient      string // of whole numbers
	end           string // of a statement
	long          string // suffix of a constant of 64 bits
	builtin       string // prefix of min and max
	driver        string // of an object, which calls decide by itself; else ""
	declaresFirst bool   // functions must be declared before they are called
	characters    bool   // 'a' is a number
	ending        string // of the whole program
	reach         string // between a struct and its field
	allocate      string // how a slice is made
	field         func(name string, typ types.Type) string
	fieldIndent   string
	slice         func(name string, typ types.Type) string // a variable
}

// infix returns the forms of languages that write operators between their operands. round is
// written before the bracket of a sum, a difference or a product.
func infix(round string, conditional []string, and, or, not, equal string) map[gp.Form][]string {
	return map[gp.Form][]string{
		gp.Add: {round + "(", " + ", ")"}, gp.Sub: {round + "(", " - ", ")"},
		gp.Mul: {round + "(", " * ", ")"}, gp.If: conditional,
		gp.And: {"(", " " + and + " ", ")"}, gp.Or: {"(", " " + or + " ", ")"},
		gp.Not: {"(" + not, ")"}, gp.IsSmaller: {"(", " < ", ")"},
		gp.IsEqual: {"(", " " + equal + " ", ")"},
	}
}

// decimal returns what writes a constant with a point and a suffix.
func decimal(suffix string) func(string) string {
	return func(v string) string {
		if !strings.ContainsAny(v, ".e") {
			v += ".0"
		}
		return v + suffix
	}
}

// widened writes a constant as the double that is equal to the binary32.
func widened(v string) string {
	f, err := strconv.ParseFloat(v, 32)
	if err != nil {
		panic("export: " + v + " is not a constant")
	}
	return decimal("")(strconv.FormatFloat(f, 'g', -1, 64))
}

var (
	call     = [4]string{"", "(", ", ", ")"}
	question = []string{"(", " ? ", " : ", ")"}
)

// dims returns the element type and the sizes of an array.
func dims(typ types.Type) (element types.Type, sizes []int64) {
	for {
		a, ok := typ.(*types.Array)
		if !ok {
			return typ, sizes
		}
		sizes = append(sizes, a.Len())
		typ = a.Elem()
	}
}

// typed returns what names types, for C and Java.
func typed(truth, long, text string) func(types.Type) string {
	return func(typ types.Type) string {
		switch {
		case typ == nil:
			return "void"
		case types.Identical(typ, types.Typ[types.String]):
			return text
		case isInt64(typ):
			return long
		case isFloat(typ):
			return "float"
		case types.Identical(typ.Underlying(), types.Typ[types.Bool]):
			return truth
		default:
			return "int"
		}
	}
}

// cast returns what converts numbers in languages with types.
func cast(name func(types.Type) string) func(x string, from, to types.Type) string {
	return func(x string, _, to types.Type) string { return "(" + name(to) + ")(" + x + ")" }
}

// isSlice tells whether a type is a slice.
func isSlice(typ types.Type) bool {
	_, ok := typ.(*types.Slice)
	return ok
}

// inGo writes only trees, because the runtime is Go already. Constants are arguments of a function,
// because Go would compute with them exactly. Its conversions keep products from being fused.
func inGo() *language {
	return &language{
		Syntax: Syntax{infix("float32", []string{"pick(", ", ", ", ", ")"}, "&&", "||", "!", "=="),
			func(v string) string {
				if magnitude, negative := strings.CutPrefix(v, "-"); negative {
					return "-num(" + magnitude + ")"
				}
				return "num(" + v + ")"
			}, call},
		name: "go", title: "Go", extension: ".go", comment: "//", brackets: []string{"{", "}"},
		head: func(f string, _ []string, result types.Type) string {
			return fmt.Sprintf("func %s() %s {", f, result)
		},
	}
}

// untyped returns what converts numbers in languages with one type of them; whole is the function
// that truncates.
func untyped(whole string) func(x string, from, to types.Type) string {
	return func(x string, from, to types.Type) string {
		switch {
		case isFloat(to) && !isFloat(from):
			return "f32(" + x + ")"
		case isFloat(from) && !isFloat(to):
			return whole + "(" + x + ")"
		}
		return x
	}
}

// zeros returns an expression for a zero value, for languages that make arrays at run time.
func zeros(typ types.Type, truth map[bool]string) string {
	element, sizes := dims(typ)
	zero := "0"
	if isFloat(element) {
		zero = "0.0"
	}
	if types.Identical(element, types.Typ[types.Bool]) {
		zero = truth[false]
	}
	if len(sizes) == 0 {
		return zero
	}
	text := "zeros(" + zero
	for _, n := range sizes {
		text += fmt.Sprintf(", %d", n)
	}
	return text + ")"
}

func inC() *language {
	name := typed("int", "long long", "const char *")
	return &language{
		Syntax: Syntax{infix("", question, "&&", "||", "!", "=="), decimal("f"), call},
		name:   "c", title: "C", extension: ".c", comment: "//",
		head: func(f string, params []string, result types.Type) string {
			if params == nil {
				params = []string{"void"}
			}
			return fmt.Sprintf("static %s %s(%s) {", name(result), f, strings.Join(params, ", "))
		},
		parameter: func(p string, typ types.Type) string { return name(typ) + " " + p },
		declare: func(v string, typ types.Type, value string, global, constant bool) string {
			element, sizes := dims(typ)
			text := name(element) + " " + v
			for _, n := range sizes {
				text += fmt.Sprintf("[%d]", n)
			}
			if constant {
				text = "const " + text
			}
			if global {
				text = "static " + text
			} else if value == "" && len(sizes) > 0 {
				value = "{0}"
			} else if value == "" {
				value = "0"
			}
			if value != "" {
				text += " = " + value
			}
			return text + ";"
		},
		loop:    counting("int "),
		convert: cast(name), brackets: []string{"{", "}"}, array: [2]string{"{", "}"},
		truth: map[bool]string{true: "1", false: "0"}, and: "&&", or: "||", quotient: "%s / %s",
		end: ";", long: "LL", characters: true, declaresFirst: true,
		slice: func(v string, _ types.Type) string { return "static int *" + v + ";" },
		reach: "->", allocate: "zeros(SIZE)", fieldIndent: "    ",
		field: func(f string, typ types.Type) string {
			if isSlice(typ) {
				return "int *" + f + ";"
			}
			element, sizes := dims(typ)
			text := name(element) + " " + f
			for _, n := range sizes {
				text += fmt.Sprintf("[%d]", n)
			}
			return text + ";"
		},
		ending: "\nint main(void) {\n    play();\n" +
			"    return 0;\n}\n",
	}
}

// counting returns what writes the head of a loop in languages like C.
func counting(declared string) func(counter, times string) string {
	return func(counter, times string) string {
		if counter == "_" {
			counter = "again"
		}
		return fmt.Sprintf("for (%s%s = 0; %[2]s < %[3]s; %[2]s++) {", declared, counter, times)
	}
}

func inJava() *language {
	name := typed("boolean", "long", "String")
	l := &language{
		Syntax: Syntax{infix("", question, "&&", "||", "!", "=="), decimal("f"), call},
		name:   "java", title: "Java", extension: ".java", comment: "//",
		head: func(f string, params []string, result types.Type) string {
			return fmt.Sprintf("static %s %s(%s) {", name(result), f, strings.Join(params, ", "))
		},
		parameter: func(p string, typ types.Type) string { return name(typ) + " " + p },
		declare: func(v string, typ types.Type, value string, global, constant bool) string {
			element, sizes := dims(typ)
			text := name(element) + strings.Repeat("[]", len(sizes)) + " " + v
			if value == "" && len(sizes) > 0 {
				value = "new " + name(element)
				for _, n := range sizes {
					value += fmt.Sprintf("[%d]", n)
				}
			} else if value == "" {
				value = map[string]string{"boolean": "false"}[name(element)]
				if value == "" {
					value = "0"
				}
			}
			if constant {
				text = "final " + text
			}
			if global {
				text = "static " + text
			}
			return text + " = " + value + ";"
		},
		loop:    counting("int "),
		convert: cast(name), brackets: []string{"{", "}"}, array: [2]string{"{", "}"},
		truth: map[bool]string{true: "true", false: "false"}, and: "&&", or: "||",
		quotient: "%s / %s",
		end:      ";", builtin: "Math.", long: "L", characters: true,
		ending: "}\n", reach: ".", allocate: "new NAME[SIZE]",
		fieldIndent: "    ",
	}
	l.slice = func(v string, typ types.Type) string { return "static " + l.field(v, typ) }
	l.field = func(f string, typ types.Type) string {
		if s, ok := typ.(*types.Slice); ok {
			return name(s.Elem()) + "[] " + f + ";"
		}
		return l.declare(f, typ, "", false, false)
	}
	return l
}

// member returns what writes a field in languages whose constructors make the fields of objects.
func member(self, null, end string, truth map[bool]string) func(string, types.Type) string {
	return func(f string, typ types.Type) string {
		value := null
		if !isSlice(typ) {
			value = zeros(typ, truth)
		}
		return self + "." + f + " = " + value + end
	}
}

func inJavaScript() *language {
	truth := map[bool]string{true: "true", false: "false"}
	return &language{
		Syntax: Syntax{infix("f32", question, "&&", "||", "!", "==="), widened, call},
		name:   "javascript", title: "JavaScript", extension: ".js", comment: "//",
		head: func(f string, params []string, _ types.Type) string {
			return fmt.Sprintf("function %s(%s) {", f, strings.Join(params, ", "))
		},
		parameter: func(p string, _ types.Type) string { return p },
		declare: func(v string, typ types.Type, value string, _, constant bool) string {
			value = cmp.Or(value, zeros(typ, truth))
			word := "let "
			if constant {
				word = "const "
			}
			return word + v + " = " + value + ";"
		},
		loop: counting("let "), convert: untyped("Math.trunc"), brackets: []string{"{", "}"},
		array: [2]string{"[", "]"}, truth: truth, and: "&&", or: "||", round: "f32",
		quotient: "Math.trunc(%s / %s)",
		end:      ";", builtin: "Math.",
		ending: "\nplay();\n", reach: ".", allocate: "zeros(ZERO, SIZE)",
		fieldIndent: "        ",
		slice:       func(v string, _ types.Type) string { return "let " + v + " = null;" },
		field:       member("this", "null", ";", truth),
	}
}

func inPython() *language {
	truth := map[bool]string{true: "True", false: "False"}
	return &language{
		Syntax: Syntax{infix("f32", thenFirst, "and", "or", "not ",
			"=="), widened, call},
		name: "python", title: "Python", extension: ".py", comment: "#",
		head: func(f string, params []string, _ types.Type) string {
			return fmt.Sprintf("def %s(%s):", f, strings.Join(params, ", "))
		},
		parameter: func(p string, _ types.Type) string { return p },
		declare: func(v string, typ types.Type, value string, _, _ bool) string {
			value = cmp.Or(value, zeros(typ, truth))
			return v + " = " + value
		},
		loop: func(counter, times string) string {
			return fmt.Sprintf("for %s in range(%s):", counter, times)
		},
		convert: untyped("int"), array: [2]string{"[", "]"}, truth: truth, and: "and", or: "or",
		round: "f32", quotient: "%s // %s",
		ending: "\n\nif __name__ == \"__main__\":\n    play()\n", reach: ".",
		allocate: "zeros(ZERO, SIZE)", fieldIndent: "        ",
		slice: func(v string, _ types.Type) string { return v + " = None" },
		field: member("self", "None", "", truth),
	}
}
