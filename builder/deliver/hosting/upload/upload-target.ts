import { posix } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { type S3Target, s3TargetOf } from '#contract/s3-target.ts';
import { bareUrl } from '#contract/site/urls.ts';

/** The folder that `--to` names. */
export type UploadTarget = BucketTarget | SftpTarget;

export interface BucketTarget extends Pick<S3Target, 'bucket' | 'prefix'> {
  readonly type: 's3';
  /** Undefined: an option or the environment names it. */
  readonly endpoint?: string;
}

export interface SftpTarget {
  readonly type: 'sftp';
  readonly user: string | undefined;
  /** A host name, an address, or an alias in the configuration of ssh. */
  readonly host: string;
  readonly port: number | undefined;
  /** Absolute, or relative to the folder of the account; not empty. */
  readonly path: string;
}

const namePattern = /^[A-Za-z0-9_](?:[\w.-]*\w)?$/;
/** Path characters that sftp does not interpret. */
const pathPattern = /^[\w.+=@,/-]*$/;
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Parses `s3://bucket/prefix`, `https://…` of a bucket as in a site, or `sftp://user@host:port/path`. As for
 * curl, the path of SFTP is absolute, and `/~/path` is relative to the folder of the account.
 * @throws LandfallError USAGE
 */
export function parseUploadTarget(text: string): UploadTarget {
  if (/^https?:/.test(text)) return bucketOf(text);
  const [, scheme, user, host = '', port, path = ''] =
    /^(s3|sftp):\/\/(?:([^@/]*)@)?(\[[^\]/]+\]|[^:/@]*)(?::(\d{1,5}))?(\/.*)?$/.exec(text) ?? [];
  if (user?.includes(':')) throw invalid('a password is not accepted on the command line');
  if (!pathPattern.test(path.replace(/^\/~\//, '/')) || hasDots(path)) {
    throw invalid('the path has unsupported characters');
  }
  const trimmed = path.replace(/\/+/g, '/').replace(/\/$/, '');
  if (scheme === 's3' && user === undefined && port === undefined && bucketPattern.test(host)) {
    return { type: 's3', bucket: host, prefix: trimmed.slice(1) };
  }
  const isHost = namePattern.test(host) || /^\[[\da-f:.]+\]$/i.test(host);
  const isUser = user === undefined || namePattern.test(user);
  if (scheme !== 'sftp' || !isHost || !isUser || Number(port ?? 1) > 65_535) {
    throw invalid(
      'it is not s3://bucket/prefix, https://store/bucket/prefix or sftp://user@host/path',
    );
  }
  return {
    ...{ type: 'sftp', user, host },
    port: port === undefined ? undefined : Number(port),
    path: sftpPath(path, trimmed),
  };
}

function bucketOf(text: string): BucketTarget {
  const found = bareUrl.safeParse(text).success ? s3TargetOf(text) : undefined;
  if (!found || !bucketPattern.test(found.bucket) || !pathPattern.test(found.prefix)) {
    throw invalid('the URL has no bucket, or has unsupported characters');
  }
  const { endpoint, bucket, prefix } = found;
  return { type: 's3', endpoint, bucket, prefix };
}

/** Returns the target of a folder below another one. @param name a plain name */
export function subfolderOf(target: UploadTarget, name: string): UploadTarget {
  return target.type === 's3'
    ? { ...target, prefix: posix.join(target.prefix, name) }
    : { ...target, path: posix.join(target.path, name) };
}

function sftpPath(path: string, trimmed: string): string {
  if (trimmed.startsWith('/~')) return trimmed.slice(3) || '.';
  return path === '' ? '.' : trimmed || '/';
}

function hasDots(path: string): boolean {
  return path.split('/').some((name) => name === '.' || name === '..');
}

/** The URL is not repeated, because it may contain a password. */
function invalid(reason: string): LandfallError {
  return new LandfallError('USAGE', `invalid --to: ${reason}`, {
    hint: 'Write, for example, --to s3://my-bucket/landfall or --to sftp://me@host/srv/www',
  });
}
