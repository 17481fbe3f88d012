package kernels

import "golang.org/x/sys/cpu"

// best returns the highest level that this processor and its operating system run.
func best() Level {
	x := &cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512CD &&
		x.HasAVX512VPOPCNTDQ && x.HasAVX512VBMI2 &&
		x.HasAVX2 && x.HasBMI1 && x.HasBMI2:
		return AVX512
	case x.HasAVX && x.HasAVX2 && x.HasBMI1 && x.HasPOPCNT:
		return AVX2
	default:
		return Scalar
	}
}
