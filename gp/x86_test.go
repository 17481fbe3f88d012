package gp_test

import (
	"encoding/hex"
	"testing"

	"clade/gp/internal/x86"
	"clade/gp/proof"
)

// TestEncoding compares with what GNU as 2.40 makes of instructions.
func TestEncoding(t *testing.T) {
	var a x86.Assembler
	for _, c := range []struct {
		text, want string
		write      func()
	}{
		{"mov 0x1234(%rdi),%rax", "488b8734120000", func() {
			a.General(x86.Load, x86.AX, x86.DI.At(0x1234))
		}},
		{"and -0x1234(%r8),%rdx", "492390ccedffff", func() {
			a.General(x86.And, x86.DX, x86.R8.At(-0x1234))
		}},
		{"movzbq 0x1234(%r9),%rax", "490fb68134120000", func() {
			a.General(x86.LoadByte, x86.AX, x86.R9.At(0x1234))
		}},
		{"rex.W mov %al,0x1234(%r9)", "49888134120000", func() {
			a.General(x86.StoreByte, x86.AX, x86.R9.At(0x1234))
		}},
		{"{load} add %rdx,%rax", "4803c2", func() { a.General(x86.Add, x86.AX, x86.DX.Operand()) }},
		{"{load} or %rdx,%rax", "480bc2", func() { a.General(x86.Or, x86.AX, x86.DX.Operand()) }},
		{"test %rax,%rax", "4885c0", func() { a.General(x86.Test, x86.AX, x86.AX.Operand()) }},
		{"bt %rcx,%rax", "480fa3c8", func() { a.General(x86.Bit, x86.CX, x86.AX.Operand()) }},
		{"popcnt %rdx,%rdx", "f3480fb8d2", func() {
			a.General(x86.Count, x86.DX, x86.DX.Operand())
		}},
		{"{load} mov %r13,%rcx", "498bcd", func() {
			a.General(x86.Load, x86.CX, x86.R13.Operand())
		}},
		{"{disp32} lea 0x3(%rbx),%rax", "488d8303000000", func() {
			a.General(x86.Address, x86.AX, x86.BX.At(3))
		}},
		{"cmova %rax,%r11", "4c0f47d8", func() {
			a.General(x86.MoveAbove, x86.R11, x86.AX.Operand())
		}},
		{"shl $4,%r8", "49c1e004", func() { a.Shift(x86.R8, 4) }},
		{"neg %rax", "48f7d8", func() { a.Negate(x86.AX) }},
		{"rex.W sete 0x1234(%r9)", "490f948134120000", func() {
			a.Set(x86.Equal, x86.R9.At(0x1234))
		}},
		{"rex.W setnp %dl", "480f9bc2", func() { a.Set(x86.Ordered, x86.DX.Operand()) }},
		{"{vex3} vmovss 0x1234(%rsi),%xmm13", "c4617a10ae34120000", func() {
			a.AVX(x86.Move, 13, 0, x86.SI.At(0x1234))
		}},
		{"{vex3} vmovss %xmm13,0x1234(%rsi)", "c4617a11ae34120000", func() {
			a.AVX(x86.Store, 13, 0, x86.SI.At(0x1234))
		}},
		{"{vex3} vmovaps %xmm13,%xmm0", "c4c17828c5", func() {
			a.AVX(x86.MoveAll, 0, 0, x86.Vector(13).Operand())
		}},
		{"{vex3} vcvtsi2ss %eax,%xmm12,%xmm3", "c4e11a2ad8", func() {
			a.AVX(x86.FromInt, 3, 12, x86.AX.Operand())
		}},
		{"{vex3} vmovd %eax,%xmm15", "c461796ef8", func() {
			a.AVX(x86.FromBits, 15, 0, x86.AX.Operand())
		}},
		{"{vex3} vucomiss 0x1234(%rsi),%xmm13", "c461782eae34120000", func() {
			a.AVX(x86.Compare, 13, 0, x86.SI.At(0x1234))
		}},
		{"{vex3} vxorps %xmm12,%xmm12,%xmm12", "c4411857e4", func() {
			a.AVX(x86.XorBits, 12, 12, x86.Vector(12).Operand())
		}},
		{"{vex3} vaddss 0x1234(%rsi),%xmm5,%xmm11", "c46152589e34120000", func() {
			a.AVX(x86.AddFloat, 11, 5, x86.SI.At(0x1234))
		}},
		{"{vex3} vmulss %xmm9,%xmm5,%xmm11", "c4415259d9", func() {
			a.AVX(x86.MulFloat, 11, 5, x86.Vector(9).Operand())
		}},
		{"{vex3} vmaxss %xmm15,%xmm3,%xmm15", "c441625fff", func() {
			a.AVX(x86.Greater, 15, 3, x86.Vector(15).Operand())
		}},
		{"{vex3} vsubss %xmm9,%xmm13,%xmm1", "c4c1125cc9", func() {
			a.AVX(x86.SubFloat, 1, 13, x86.Vector(9).Operand())
		}},
		{"vblendvps %xmm15,%xmm13,%xmm14,%xmm7", "c4c3094afdf0", func() { a.Blend(7, 14, 13, 15) }},
	} {
		a.Code = a.Code[:0]
		c.write()
		proof.Is(t, hex.EncodeToString(a.Code), c.want, "%s", c.text)
	}
}

// TestJump: a jump goes from its end to where Land says, forward or back.
func TestJump(t *testing.T) {
	var a x86.Assembler
	start := len(a.Code)
	back, on := a.Jump(x86.Equal), a.Jump(x86.Unequal)
	a.Return()
	a.Land(back, start)
	a.Land(on, len(a.Code))
	proof.Is(t, hex.EncodeToString(a.Code), "0f84faffffff"+"0f8501000000"+"c3", "the code")
}
