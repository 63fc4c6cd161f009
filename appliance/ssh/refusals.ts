import type { Host } from '../host/host.ts';

/** sshd's reasons for turning a user away, which a client never hears. */
const reasons =
  /Authentication refused|not allowed because|bad ownership|account .* (?:locked|expired)|fatal|error|denied/i;
const most = 4;

/** What sshd and PAM wrote down since then about whom they turned away. */
export async function refusalsSince(host: Host, since: Date): Promise<string[]> {
  const names = ['sshd', 'sshd-session', 'sshd-auth', 'sudo'].map((name) => `--identifier=${name}`);
  // What was said before this comes to the journal in its own time.
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
