import type { Host } from '../host/host.ts';

/** Log lines with the reason of a rejected login, which sshd does not send to clients. */
const reasons =
  /Authentication refused|not allowed because|bad ownership|account .* (?:locked|expired)|fatal|error|denied/i;
const most = 4;

/** Returns the log lines of sshd and sudo about rejected logins since then. */
export async function refusalsSince(host: Host, since: Date): Promise<string[]> {
  const names = ['sshd', 'sshd-session', 'sshd-auth', 'sudo'].map((name) => `--identifier=${name}`);
  // Waits until earlier messages are in the journal.
  await host.succeeds('journalctl', ['--sync']);
  const { stdout } = await host.run(
    'journalctl',
    [
      ...['--no-pager', '--quiet', '--output=cat', '--lines=50'],
      `--since=@${Math.floor(since.getTime() / 1000)}`,
      ...names,
    ],
    { accept: [1] },
  );
  const lines = stdout.split('\n').filter((line) => reasons.test(line));
  return [...new Set(lines)].slice(-most);
}
