import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Repository } from './repository.ts';

/** restic tries again after growing delays for 15 minutes; so many take about 40 seconds. */
const tries = 6;

/**
 * Returns an observer of the lines that restic prints. It keeps those with a known reason, because restic 0.14
 * may print a stack trace after them; and it ends restic 0.18 when the first access to the repository has failed
 * for good: it retries even after a wrong secret, and its last lines do not say why.
 */
export function observeLines(known: string[]): (line: string) => void {
  let count = 0;
  return (line) => {
    if (known.length < maxKnown && failures.some(([text]) => text.test(line))) known.push(line);
    const [, reason] = /<config\/>\) returned error, retrying after [^ ]+: (.*)/.exec(line) ?? [];
    if (reason === undefined) return;
    count += 1;
    const isFinal = failures.some(([text, code]) => code !== 'BACKUP_FAILED' && text.test(reason));
    if (count < tries && !isFinal) return;
    const message = `restic failed ${count} times`;
    throw new LandfallError('COMMAND_FAILED', message, { problems: [{ message: reason }] });
  };
}
const maxKnown = 5;

type Failure = readonly [
  text: RegExp,
  code:
    | 'BACKUP_FAILED'
    | 'BACKUP_ACCESS'
    | 'BACKUP_MISSING'
    | 'BACKUP_PASSWORD'
    | 'BACKUP_DAMAGED'
    | 'DISK_FULL',
  /** `{}` is the target. */
  message: string,
  hint: string,
];

/** What restic 0.14 to 0.18, ssh and S3 servers print. Exit codes differ between versions. */
const failures: readonly Failure[] = [
  // First: restic that is ended prints other reasons, such as a wrong password.
  [
    /context canceled|signal \w+ received/,
    'BACKUP_FAILED',
    '{} did not respond in time',
    'Check the network and the target, then run `sudo landfall backup run`.',
  ],
  [
    /wrong password or no key found/,
    'BACKUP_PASSWORD',
    '{} has another password',
    'It belongs to another server. Use another folder.',
  ],
  [
    /Host key verification failed/,
    'BACKUP_ACCESS',
    '{} has another host key than before',
    'Ask who runs it. If the change is right, run `sudo landfall backup init` again.',
  ],
  [
    /(?:Remove\(.*failed|unable to remove|RemoveObject).*access ?denied/i,
    'BACKUP_ACCESS',
    '{} refuses to delete old backups',
    'Set `keep: never` in `backup` of the site, and remove old backups from your computer: backup.md of the documentation.',
  ],
  [
    /repository is already locked/,
    'BACKUP_FAILED',
    '{} is locked',
    'If no other program uses it, the target refuses to delete locks: backup.md of the documentation.',
  ],
  // restic creates a missing bucket, but with the bucket in the path always.
  [
    /MakeBucket: .*virtual/i,
    'BACKUP_MISSING',
    '{} has no such bucket',
    'Create the bucket in the console of the cloud, then run `sudo landfall backup init`.',
  ],
  // What COS, OSS and OBS say.
  [
    /virtual[- ](?:styled domain|hosted style)|virtual host domain is required/i,
    'BACKUP_ACCESS',
    '{} refuses requests with the bucket in the path',
    'Set `virtual_host: true` and `region` for it in `backup` of the site.',
  ],
  [
    // A response to HEAD has no text.
    /the region (?:'[^']*' )?is wrong|BucketExists: 400 Bad Request/,
    'BACKUP_ACCESS',
    '{} is in another region',
    'Set `region` for it in `backup` of the site.',
  ],
  [
    /Permission denied \(|SignatureDoesNotMatch|InvalidAccessKeyId|access ?denied|request signature we calculated|access key id/i,
    'BACKUP_ACCESS',
    '{} rejects the login of this server',
    'Run `sudo landfall backup init`: it shows the key of this server for SFTP. For S3, set both secrets again with `sudo landfall secret set`.',
  ],
  [
    /x509: /,
    'BACKUP_ACCESS',
    '{} shows a certificate that this server does not trust',
    'Add its authority to `ca` in the site. Otherwise the connection may be intercepted.',
  ],
  [
    /NETWORK_PROXY/,
    'BACKUP_FAILED',
    '{} cannot be reached through the proxy of the route',
    'Check the proxy with `sudo landfall route test`: it must allow connections to this port.',
  ],
  [
    /dial tcp|timeout|no such host|connection re(?:fused|set)|no route to host/,
    'BACKUP_FAILED',
    '{} cannot be reached',
    'Check the address and the network, then run `sudo landfall backup run`.',
  ],
  [
    /unable to open config file|Is there a repository|specified bucket does not exist/,
    'BACKUP_MISSING',
    '{} has no backups of this server',
    'Check the path, and that a disk is mounted. To begin again, run `sudo landfall backup init`.',
  ],
  [
    /no space left on device|quota exceeded/i,
    'DISK_FULL',
    '{} is full',
    'Free some space there, or keep fewer backups: `backup.keep` in the site.',
  ],
  [
    /There were \d+ errors/,
    'BACKUP_DAMAGED',
    '{} has lost or damaged data: some files could not be restored',
    'See backup.md of the documentation, "A damaged repository". The other targets are not affected.',
  ],
  [
    /repository contains errors|ciphertext verification failed|invalid data returned|not found in (?:repository|snapshot)/,
    'BACKUP_DAMAGED',
    '{} is damaged',
    'See backup.md of the documentation, "A damaged repository". The other targets are not affected.',
  ],
];

/**
 * Returns the error for restic that has failed.
 * @param cause the error of the unit, with the last lines
 * @param known lines with a known reason, which may not be among the last ones
 */
export function failureOf(
  cause: unknown,
  { name }: Pick<Repository, 'name'>,
  known: readonly string[],
): LandfallError {
  const { problems = [], message } = cause as LandfallError;
  const last = problems.map((problem) => problem.message).filter((line) => !isStackTrace(line));
  const texts = [...new Set([...known, ...last])];
  const found = failures.find(([text]) => texts.some((line) => text.test(line)));
  // restic 0.18 prints its errors as JSON, if it prints JSON.
  const details = texts.map((text) => {
    const [, inside = text] = /^\{.*"message":"(.*?)(?:"\}|$)/.exec(text) ?? [];
    return { message: plainLine(inside, 500) };
  });
  if (found) {
    const [, code, what, hint] = found;
    return new LandfallError(
      code,
      what.replace('{}', () => name),
      { hint, problems: details, cause },
    );
  }
  const isLate = /timed out/.test(message);
  return new LandfallError(
    'BACKUP_FAILED',
    isLate ? `${name} did not respond in time` : `restic failed at ${name}`,
    {
      hint: {
        en: 'Check the network and the target, then run `sudo landfall backup run`.',
        zh: '检查网络和备份位置，再运行 `sudo landfall backup run`。',
      },
      problems: details,
      cause,
    },
  );
}

/** Lines with which Go programs describe a panic or, in restic 0.14, any error. */
function isStackTrace(line: string): boolean {
  return /^\s*(?:github\.com|golang\.org|main\.|runtime[./]|\/build\/|\S+\.(?:go|s):\d+)/.test(
    line,
  );
}
