import { execa } from 'execa';

/** Changed files to list; more are counted. */
const maxFiles = 5;

/**
 * Returns why the checkout is not the commit of a tag: uncommitted changes, or a tag at another
 * commit. A tag that does not exist yet is accepted.
 */
export async function workTreeProblems(root: string, tag: string): Promise<string[]> {
  const status = await git(root, 'status', '--porcelain');
  if (status === undefined) return [`${root} is not a git checkout`];
  const changed = status.split('\n').filter((line) => line !== '');
  const shown = changed.slice(0, maxFiles).map((line) => `not committed: ${line.slice(3)}`);
  if (changed.length > maxFiles) shown.push(`not committed: ${changed.length - maxFiles} more`);
  const [tagged, head] = await Promise.all([
    git(root, 'rev-parse', '--quiet', '--verify', `refs/tags/${tag}^{commit}`),
    git(root, 'rev-parse', 'HEAD'),
  ]);
  const isElsewhere = tagged !== undefined && tagged !== head;
  return isElsewhere ? [...shown, `the tag ${tag} is at another commit`] : shown;
}

/** Returns the output of git without its last line break; undefined if git fails. */
async function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  const { stdout, failed } = await execa('git', args, { cwd, reject: false, stdin: 'ignore' });
  return failed ? undefined : stdout;
}
