/** What a person does where nothing is tried again by itself. */
export const runAgain = 'sudo landfall first-boot';

/** As stages say it, who know only the first boot of a new server. */
const byItself = /it is tried again by itself|(?:a|the) first boot goes on by itself/gi;

/**
 * What to do after a stage failed. On a new server systemd starts the first boot again; one that a
 * person runs on an installed server is over, and its log is what the person saw.
 */
export function retryHint(hint: string | undefined, installed: boolean): string {
  if (!installed) {
    return hint ?? 'It is tried again by itself. The log: sudo journalctl -u landfall-boot';
  }
  return (hint ?? 'It is tried again by itself.').replace(byItself, (words) =>
    /^[A-Z]/.test(words) ? `Run it again with ${runAgain}` : `run it again with ${runAgain}`,
  );
}

/** What to do after an error that nobody foresaw. */
export function unforeseenHint(installed: boolean): string {
  return installed
    ? `Nobody foresaw this. Please report it with what is above, and run it again with ${runAgain}.`
    : 'Nobody foresaw this. Please report it with the log: sudo journalctl -u landfall-boot';
}
