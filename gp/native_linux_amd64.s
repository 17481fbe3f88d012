#include "textflag.h"

// func runNative(asks *Ask, n int, entries *uintptr, stride, turned int, registers *Quad, f *Frame,
//	masks *[Lanes]Bits, truths *uint8, values *float32) (best int)
TEXT ·runNative(SB), NOSPLIT, $0-88
	MOVQ asks+0(FP), R10
	MOVQ entries+16(FP), BX
	MOVQ turned+32(FP), R13
	MOVQ registers+40(FP), R14
	MOVQ f+48(FP), DI
	MOVQ masks+56(FP), R15
	MOVQ truths+64(FP), R9
	MOVQ values+72(FP), R12
	XORQ R11, R11
	MOVQ R11, best+80(FP)

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
	MOVQ (BX)(AX*8), AX
	CALL AX
	VMOVSS X0, (R12)(R11*4)
	MOVQ best+80(FP), AX
	VUCOMISS (R12)(AX*4), X0
	CMOVQHI R11, AX
	MOVQ AX, best+80(FP)
	ADDQ $16, R10
	INCQ R11
	CMPQ R11, n+8(FP)
	JNE  next
	RET
