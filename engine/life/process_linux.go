package life

import "syscall"

// ownGroup puts a process in a group of its own, and has it killed if we die, however that happens:
// a signal from the terminal does not reach its group.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
