import type { FastHost } from '../machine/fast-host.ts';

/** Answers the prompts of login(1) on a pseudo-terminal. Prints the contents of the screen. */
const loginProgram = `
import os, pty, select, sys, time
user, password = sys.argv[1], sys.stdin.readline().rstrip('\\n')
pid, screen = pty.fork()
if pid == 0:
  os.execvp('login', ['login'])
seen, answers = '', [('login:', user), ('Password:', password), ('$ ', 'echo I am $(id -un); exit')]
end = time.time() + 90
while time.time() < end:
  ready, _, _ = select.select([screen], [], [], 0.5)
  if ready:
    try:
      data = os.read(screen, 4096).decode(errors='replace')
    except OSError:
      # login(1) hangs up all processes with the terminal open, itself included.
      if os.waitpid(pid, os.WNOHANG)[0] == pid:
        pid = 0
        break
      time.sleep(0.1)
      continue
    seen += data
  if answers and answers[0][0] in seen.rsplit('<answered>', 1)[-1]:
    os.write(screen, (answers.pop(0)[1] + '\\n').encode())
    seen += '<answered>'
  if 'Login incorrect' in seen:
    break
if pid:
  os.kill(pid, 9)
print(seen)
`;

/**
 * Logs in on a terminal of the server with the real login(1) and PAM, as on a provider's console.
 * @returns the screen, which contains `I am <user>` or `Login incorrect`
 */
export async function loginOnConsole(
  host: FastHost,
  user: string,
  password: string,
): Promise<string> {
  return await host.output(['python3', '-c', loginProgram, user], { input: `${password}\n` });
}
