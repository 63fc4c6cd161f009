import { basename } from 'node:path';
import { execa } from 'execa';
import { errorToJson, exitCodeOf, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import { sha256OfFile } from '../../base/files/sha256-of-file.ts';

/*
 * `npm run upload -- <tag> <file>…`: uploads files to the draft release of a tag with GitHub's program
 * `gh`, for the workflow of a release and the GitHub Action. Prints the result or the error as JSON.
 */
const [tag = '', ...paths] = process.argv.slice(2);

try {
  const files = new Map<string, string>();
  for (const path of paths) files.set(path, `sha256:${await sha256OfFile(path)}`);
  const note = (line: string) => console.error(line);
  await withRetry(`the upload to ${tag}`, () => upload(files), { attempts: 3, note });
  console.log(JSON.stringify({ tag, files: paths }));
} catch (error) {
  console.error(formatError(error));
  console.log(JSON.stringify(errorToJson(error)));
  process.exitCode = exitCodeOf(error);
}

/**
 * Uploads files, given with their digests. Keeps identical files of the draft and replaces others.
 * @throws LandfallError FILE_EXISTS for a published release; COMMAND_FAILED, retriable, because another
 * job may upload the same file; BLOB_DIGEST when other bytes were stored
 */
async function upload(files: ReadonlyMap<string, string>): Promise<void> {
  const view = await gh('release', 'view', '--json=isDraft,apiUrl', '--', tag);
  const { isDraft, apiUrl } = JSON.parse(view) as { isDraft: boolean; apiUrl: string };
  if (!isDraft) {
    throw new LandfallError('FILE_EXISTS', `the release ${tag} is already published`, {
      hint: 'Use a new version: a published release never changes.',
    });
  }
  const missing = async () => {
    const stored = await storedDigests(apiUrl);
    return [...files].flatMap(([path, digest]) =>
      stored.get(basename(path)) === digest ? [] : [path],
    );
  };
  const pending = await missing();
  if (pending.length > 0) await gh('release', 'upload', '--clobber', '--', tag, ...pending);
  const [damaged] = await missing();
  if (damaged === undefined) return;
  throw new TransferError('BLOB_DIGEST', `${damaged} was not stored as sent`, {
    hint: 'Run the command again.',
    transient: true,
  });
}

/** Returns the digests of the complete files of a release, by name. */
async function storedDigests(release: string): Promise<ReadonlyMap<string, string | null>> {
  const assets = JSON.parse(await gh('api', `${release}/assets?per_page=100`)) as {
    readonly name: string;
    readonly state: string;
    readonly digest: string | null;
  }[];
  return new Map(
    assets.filter(({ state }) => state === 'uploaded').map(({ name, digest }) => [name, digest]),
  );
}

/** Runs `gh` and returns its output. It reads its token from GH_TOKEN or GITHUB_TOKEN. */
async function gh(...args: readonly string[]): Promise<string> {
  const { GITHUB_REPOSITORY, GH_REPO = GITHUB_REPOSITORY } = process.env;
  const { failed, stdout, stderr } = await execa('gh', args, {
    env: { GH_REPO },
    reject: false,
    stdin: 'ignore',
  });
  if (!failed) return stdout;
  const action = args.slice(0, 2).join(' ');
  throw new TransferError('COMMAND_FAILED', `gh ${action} failed: ${plainLine(stderr, 300)}`, {
    hint: 'Install gh, and set GH_TOKEN to a token with the permission contents:write.',
    transient: true,
  });
}
