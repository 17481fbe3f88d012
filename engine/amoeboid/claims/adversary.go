package claims

func CaseFourAny() Claim { return Claim{Name: "x"} }
