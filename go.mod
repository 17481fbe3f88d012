module clade

go 1.26
