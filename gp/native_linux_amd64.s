#include "textflag.h"

// func runNative(asks *Ask, n int, entries *uintptr, stride, turned int, registers *Quad, f *Frame,
//	masks *[Lanes]Bits, truths *uint8, values *float32)
TEXT ·runNative(SB), NOSPLIT, $0-80
	MOVQ asks+0(FP), R10
	MOVQ n+8(FP), R11
	MOVQ entries+16(FP), BX
	MOVQ f+48(FP), DI
	MOVQ truths+64(FP), R9
	MOVQ values+72(FP), R12

next:
	MOVQ turned+32(FP), CX
	ADDQ 8(R10), CX
	ANDQ $3, CX
	MOVQ registers+40(FP), SI
	LEAQ (SI)(CX*4), SI
	MOVQ CX, R8
	SHLQ $4, R8
	ADDQ masks+56(FP), R8
	MOVQ (R10), AX
	IMULQ stride+24(FP), AX
	MOVQ (BX)(AX*8), AX
	CALL AX
	VMOVSS X0, (R12)
	ADDQ $16, R10
	ADDQ $4, R12
	DECQ R11
	JNZ  next
	RET
