#include "textflag.h"

// func runNative(asks *Ask, n int, entries *uintptr, stride, turned int, registers *Quad, f *Frame,
//	masks *[Lanes]Bits, truths *uint8, values *float32)
TEXT ·runNative(SB), NOSPLIT, $0-80
	MOVQ asks+0(FP), R10
	MOVQ entries+16(FP), BX
	MOVQ turned+32(FP), R13
	MOVQ registers+40(FP), R14
	MOVQ f+48(FP), DI
	MOVQ masks+56(FP), R15
	MOVQ truths+64(FP), R9
	MOVQ values+72(FP), R12
	XORQ R11, R11

next:
	MOVQ 8(R10), CX
	ADDQ R13, CX
	ANDQ $3, CX
	LEAQ (R14)(CX*4), SI
	MOVQ CX, R8
	SHLQ $4, R8
	ADDQ R15, R8
	MOVQ (R10), AX
	IMULQ stride+24(FP), AX
	CALL (BX)(AX*8)
	VMOVSS X0, (R12)(R11*4)
	ADDQ $16, R10
	INCQ R11
	CMPQ R11, n+8(FP)
	JNE  next
	RET

// func chooseNative(entry uintptr, turned int, registers *Quad, f *Frame, masks *[Lanes]Bits,
//	truths *uint8, values *float32) (best int)
TEXT ·chooseNative(SB), NOSPLIT, $0-64
	MOVQ entry+0(FP), AX
	MOVQ turned+8(FP), R13
	MOVQ registers+16(FP), R14
	MOVQ f+24(FP), DI
	MOVQ masks+32(FP), R15
	MOVQ truths+40(FP), R9
	MOVQ values+48(FP), R10
	XORQ BX, BX
	XORQ R11, R11
	MOVQ $3, R12
	CALL AX
	MOVQ R11, best+56(FP)
	RET
