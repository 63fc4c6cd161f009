import { hasPlainHost } from './site/network/plain-host.ts';

/** A folder in a bucket of an S3-compatible store, and how requests address the bucket. */
export interface S3Target {
  /** URL of the store, without the bucket and without a slash at its end. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The folder, without a slash at its start and end; may be empty. */
  readonly prefix: string;
  /** Undefined if neither the user nor the endpoint names it. */
  readonly region: string | undefined;
  /** Whether the bucket is a part of the host name instead of the path. */
  readonly isVirtualHost: boolean;
}

/** What the user says about a bucket beside its URL. */
interface S3Options {
  readonly region?: string | undefined;
  readonly isVirtualHost?: boolean | undefined;
}

interface Cloud {
  /** Its host names, with the groups `bucket`, `endpoint` and `region`. */
  readonly host: RegExp;
  /** Whether it refuses requests with the bucket in the path. */
  readonly isVirtualHost: boolean;
}

/** Host names of a cloud, with or without a bucket before them. Names of buckets have three characters or more. */
const hosts = (endpoint: string) =>
  new RegExp(`^(?:(?<bucket>.{3,}?)\\.)?(?<endpoint>${endpoint})$`);

/**
 * Clouds whose host names contain the region. Their consoles show URLs with the bucket in the host name
 * (cloud.tencent.com/document/product/436/6224, help.aliyun.com/zh/oss/user-guide/access-oss-via-bucket-domain-name,
 * support.huaweicloud.com/en-us/devg-obs/obs_06_0007.html, docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html).
 */
const clouds: readonly Cloud[] = [
  // Tencent Cloud COS
  {
    host: hosts('cos(?:-internal)?\\.(?<region>[a-z0-9-]+)\\.(?:myqcloud\\.com|tencentcos\\.cn)'),
    isVirtualHost: true,
  },
  // Alibaba Cloud OSS
  {
    host: hosts('(?:s3\\.)?(?<region>oss-[a-z]{2}-[a-z0-9-]+?)(?:-internal)?\\.aliyuncs\\.com'),
    isVirtualHost: true,
  },
  // Huawei Cloud OBS
  { host: hosts('obs\\.(?<region>[a-z0-9-]+)\\.myhuaweicloud\\.(?:com|eu)'), isVirtualHost: true },
  // Volcengine TOS
  { host: hosts('tos-s3-(?<region>[a-z0-9-]+)\\.i?volces\\.com'), isVirtualHost: true },
  // Amazon S3
  { host: hosts('s3\\.(?<region>[a-z0-9-]+)\\.amazonaws\\.com(?:\\.cn)?'), isVirtualHost: false },
];

/** Names that every store accepts as a part of a host name. */
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Returns the target of a URL: `https://store/bucket/folder`, or the URL that the console of a known cloud
 * shows, with the bucket in its host name.
 * @param text a URL without a login, a query and a fragment
 * @returns undefined if it has no bucket, or the bucket cannot be a part of the host name
 */
export function s3TargetOf(text: string, options: S3Options = {}): S3Target | undefined {
  const url = new URL(text);
  const folders = url.pathname.split('/').filter(Boolean);
  const { bucket, ...store } = storeOf(url.origin);
  const name = bucket ?? folders.shift();
  return name === undefined ? undefined : targetIn(store, name, folders.join('/'), options);
}

/**
 * Returns the target of a bucket at an endpoint, which may be the URL that a console shows for this bucket.
 * @returns undefined if the endpoint has another bucket, or the bucket cannot be a part of the host name
 */
export function s3TargetAt(
  endpoint: string,
  { bucket, prefix }: Pick<S3Target, 'bucket' | 'prefix'>,
  options: S3Options = {},
): S3Target | undefined {
  const { bucket: own = bucket, ...store } = storeOf(endpoint);
  return own === bucket ? targetIn(store, bucket, prefix, options) : undefined;
}

interface Store extends Pick<S3Target, 'endpoint' | 'region' | 'isVirtualHost'> {
  /** The bucket in its host name. */
  readonly bucket?: string;
}

function storeOf(text: string): Store {
  const url = new URL(text);
  for (const { host, isVirtualHost } of clouds) {
    const { bucket, endpoint, region } = host.exec(url.hostname)?.groups ?? {};
    if (endpoint === undefined) continue;
    url.hostname = endpoint;
    const known = { endpoint: withoutSlash(url.href), region };
    if (bucket === undefined) return { ...known, isVirtualHost };
    return { ...known, isVirtualHost: true, bucket };
  }
  return { endpoint: withoutSlash(url.href), region: undefined, isVirtualHost: false };
}

function targetIn(
  store: Omit<Store, 'bucket'>,
  bucket: string,
  prefix: string,
  { region = store.region, isVirtualHost = store.isVirtualHost }: S3Options,
): S3Target | undefined {
  const { endpoint } = store;
  const target = { endpoint, bucket, prefix, region, isVirtualHost };
  if (!isVirtualHost) return target;
  const isName = bucketPattern.test(bucket) && hasPlainHost(bucketUrl(target));
  return isName ? target : undefined;
}

/** Returns the URL of the bucket, as requests address it, without a slash at its end. */
export function bucketUrl({ endpoint, bucket, isVirtualHost }: S3Target): string {
  return isVirtualHost ? endpoint.replace('://', `://${bucket}.`) : `${endpoint}/${bucket}`;
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
