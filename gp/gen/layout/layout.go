// Package layout reads from the source of a Go package what a generator of assembly for it must
// know: offsets of fields, sizes of types, constants and tables of constants. A name that the
// source does not have ends the generator with a message.
package layout

import (
	"go/ast"
	"go/constant"
	"go/types"
	"log"
	"math"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Package is a Go package as it is built for amd64. Names of a package that it imports are
// qualified, as in gp.FarCells.
type Package struct{ *packages.Package }

// Load reads the package in a directory. It may call functions that are still to be generated.
func Load(dir string) Package {
	all, err := packages.Load(&packages.Config{Dir: dir, Env: append(os.Environ(), "GOARCH=amd64"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo}, ".")
	if err != nil || len(all) != 1 || all[0].Types == nil {
		log.Fatalf("layout: %s: no package (%v)", dir, err)
	}
	return Package{all[0]}
}

func (p Package) lookup(name string) types.Object {
	scope := p.Types.Scope()
	if pkg, of, ok := strings.Cut(name, "."); ok {
		for _, imported := range p.Types.Imports() {
			if imported.Name() == pkg {
				name, scope = of, imported.Scope()
			}
		}
	}
	found := scope.Lookup(name)
	if found == nil {
		log.Fatalf("layout: package %s has no %s", p.PkgPath, name)
	}
	return found
}

// Size returns the bytes of a type.
func (p Package) Size(name string) int { return int(p.TypesSizes.Sizeof(p.lookup(name).Type())) }

// Offset returns where a field stands in a struct.
func (p Package) Offset(name, field string) int {
	structure, ok := p.lookup(name).Type().Underlying().(*types.Struct)
	if !ok {
		log.Fatalf("layout: %s is not a struct", name)
	}
	fields := make([]*types.Var, structure.NumFields())
	for i := range fields {
		fields[i] = structure.Field(i)
	}
	for i, offset := range p.TypesSizes.Offsetsof(fields) {
		if fields[i].Name() == field {
			return int(offset)
		}
	}
	log.Fatalf("layout: %s has no field %s", name, field)
	return 0
}

// Const returns the value of an integer constant.
func (p Package) Const(name string) int {
	c, ok := p.lookup(name).(*types.Const)
	if !ok {
		log.Fatalf("layout: %s is not a constant", name)
	}
	return number(c.Val())
}

// Float32 returns the bits of a constant as a float of 32 bits.
func (p Package) Float32(name string) uint64 {
	c, ok := p.lookup(name).(*types.Const)
	if !ok {
		log.Fatalf("layout: %s is not a constant", name)
	}
	f, _ := constant.Float32Val(constant.ToFloat(c.Val()))
	return uint64(math.Float32bits(f))
}

// Consts returns the names of the constants of a type by value.
func (p Package) Consts(of string) []string {
	byValue := map[int]string{}
	for _, name := range p.Types.Scope().Names() {
		if c, ok := p.lookup(name).(*types.Const); ok && c.Type() == p.lookup(of).Type() {
			byValue[number(c.Val())] = name
		}
	}
	names := make([]string, len(byValue))
	for i := range names {
		names[i] = byValue[i]
	}
	return names
}

func number(v constant.Value) int {
	n, exact := constant.Int64Val(constant.ToInt(v))
	if !exact {
		log.Fatalf("layout: %s is not an integer", v)
	}
	return int(n)
}

// Row is the integers of a row of a table by field; those not given are 0.
type Row map[string]int

// Table returns the rows of a variable that is a literal of structs.
func (p Package) Table(name string) (rows []Row) {
	variable := p.lookup(name)
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Names[0].Pos() != variable.Pos() || len(spec.Values) != 1 {
				return true
			}
			for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
				row, fields := Row{}, p.TypesInfo.TypeOf(element).Underlying().(*types.Struct)
				for i, value := range element.(*ast.CompositeLit).Elts {
					field := fields.Field(i).Name()
					if pair, ok := value.(*ast.KeyValueExpr); ok {
						field, value = pair.Key.(*ast.Ident).Name, pair.Value
					}
					if v := p.TypesInfo.Types[value].Value; v != nil && v.Kind() == constant.Int {
						row[field] = number(v)
					}
				}
				rows = append(rows, row)
			}
			return false
		})
	}
	return rows
}
