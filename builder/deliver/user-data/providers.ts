import { LandfallError } from '#contract/errors.ts';
import { nearest } from '#explain/nearest.ts';

/** Formats of user-data: three that cloud-init reads on every supported system, and a script to run as root. */
export const formats = ['cloud-config', 'multipart', 'gzip', 'shell'] as const;
export type Format = (typeof formats)[number];

/** Limits of a provider for user-data. `source` is the document that states them. */
export interface Provider {
  readonly name: string;
  /** Maximum size by supported format in bytes, before base64. */
  readonly limits: Readonly<Partial<Record<Format, number>>>;
  /** Warning for users of this provider. */
  readonly note?: string;
  readonly source: string;
}

const text = (limit: number) => ({ 'cloud-config': limit, multipart: limit });
const binary = (limit: number) => ({ ...text(limit), gzip: limit });
/** The command assistants of two providers limit scripts after base64. */
const beforeBase64 = (limit: number) => Math.floor(limit / 4) * 3;

export const providers: Readonly<Record<string, Provider>> = {
  aws: {
    name: 'Amazon EC2',
    limits: { ...binary(16_384), shell: 49_152 },
    source:
      'EC2 user guide: 16 KB before base64; SSM API reference: 64 KB with the document, as JSON (November 2026)',
  },
  azure: {
    name: 'Microsoft Azure',
    limits: binary(65_535),
    note: 'Paste it into the field "custom data", not into "user data".',
    source: 'compute API reference: 65,535 bytes decoded',
  },
  gcp: {
    name: 'Google Cloud',
    limits: binary(262_144),
    note: 'Use the metadata key user-data; for gzip, also set user-data-encoding: base64. Choose an Ubuntu image: the Debian images do not include cloud-init.',
    source: 'Compute Engine metadata reference: 262,144 bytes a value',
  },
  digitalocean: {
    name: 'DigitalOcean',
    limits: text(65_536),
    source: 'API reference: 64 KiB, plain text',
  },
  hetzner: {
    name: 'Hetzner Cloud',
    limits: text(32_768),
    source: 'API reference: 32 KiB, no binary',
  },
  linode: {
    name: 'Linode (Akamai)',
    limits: text(16_384),
    note: 'The API reference states two limits; the smaller one is applied.',
    source: 'API reference: 65,535 bytes, or about 16 KB encoded',
  },
  oracle: {
    name: 'Oracle Cloud',
    limits: binary(23_000),
    note: 'The limit of 32,000 bytes includes SSH keys and other metadata; long keys reduce it.',
    source: 'SDK reference: 32,000 bytes of metadata, user-data in base64 inside',
  },
  alibaba: {
    name: 'Alibaba Cloud',
    limits: { ...text(16_384), shell: beforeBase64(18_432) },
    source:
      'ECS user guide: 16 KB before base64, 32 KB since 2024; Cloud Assistant: 18 KB after base64 (November 2026)',
  },
  tencent: {
    name: 'Tencent Cloud',
    limits: { ...text(16_384), shell: beforeBase64(65_536) },
    source:
      'CVM user guide: 16 KB before base64; TAT API reference: 64 KB after base64 (November 2026)',
  },
  lighthouse: {
    name: 'Tencent Lighthouse',
    limits: { shell: beforeBase64(65_536) },
    note: 'It has no field for user-data: run the script with TAT (自动化助手) in the console.',
    source: 'TAT API reference: 64 KB after base64, for CVM and Lighthouse (November 2026)',
  },
  swas: {
    name: 'Alibaba Cloud Simple Application Server',
    limits: { shell: beforeBase64(18_432) },
    note: 'It has no field for user-data: run the script with the command assistant (命令助手) in the console.',
    source:
      'RunCommand uses the agent of Cloud Assistant, whose limit is applied: 18 KB after base64 (November 2026)',
  },
  huawei: {
    name: 'Huawei Cloud',
    limits: binary(32_768),
    note: 'User-data has no effect if the server is created with a password: choose a key pair.',
    source: 'ECS API reference: 32 KB before base64',
  },
  openstack: {
    name: 'OpenStack',
    limits: binary(49_151),
    source: 'Nova user guide: 65,535 bytes after base64',
  },
  ovh: {
    name: 'OVHcloud Public Cloud',
    limits: binary(49_151),
    note: 'The limits are those of Public Cloud; the VPS product was not checked.',
    source: 'Nova user guide: 65,535 bytes after base64',
  },
  vsphere: {
    name: 'VMware vSphere',
    limits: text(524_288),
    source: 'CloudinitPrep API reference: 524,288 bytes',
  },
};

/** Names under which users know a provider, by its short name here. */
const otherNames: Readonly<Record<string, string>> = {
  aliyun: 'alibaba',
  alicloud: 'alibaba',
  ecs: 'alibaba',
  阿里云: 'alibaba',
  阿里云轻量: 'swas',
  阿里云轻量应用服务器: 'swas',
  qcloud: 'tencent',
  tencentcloud: 'tencent',
  腾讯云: 'tencent',
  腾讯云轻量: 'lighthouse',
  腾讯云轻量应用服务器: 'lighthouse',
  huaweicloud: 'huawei',
  华为云: 'huawei',
  ec2: 'aws',
  amazon: 'aws',
  microsoft: 'azure',
  google: 'gcp',
  gce: 'gcp',
  oci: 'oracle',
  do: 'digitalocean',
  akamai: 'linode',
  hcloud: 'hetzner',
  vmware: 'vsphere',
};

/**
 * Returns a provider by its short name, such as `hetzner`, or by another name that users know.
 * @throws LandfallError USER_DATA_PROVIDER listing the known names
 */
export function findProvider(name: string): Provider {
  const lower = name.toLowerCase();
  const known = Object.hasOwn(otherNames, lower) ? otherNames[lower] : lower;
  const provider = known && Object.hasOwn(providers, known) ? providers[known] : undefined;
  if (provider) return provider;
  const meant = nearest(name, Object.keys(providers));
  const question = meant === undefined ? '' : `Did you mean ${meant}? `;
  throw new LandfallError('USER_DATA_PROVIDER', `unknown provider: ${JSON.stringify(name)}`, {
    hint: `${question}Choose from: ${Object.keys(providers).join(', ')}. Without --provider, the smallest limit of all providers applies.`,
  });
}

/** Returns the format to use unless the user chooses one. */
export function defaultFormat(provider: Provider | undefined): Format {
  return formats.find((format) => provider?.limits[format] !== undefined) ?? 'cloud-config';
}

/** Returns the smallest limit of all providers for a format, in bytes. */
export function smallestLimit(format: Format): number {
  return Math.min(...Object.values(providers).flatMap(({ limits }) => limits[format] ?? []));
}
