/** A DNS provider that `landfall init` and the documentation offer. */
interface CommonProvider {
  readonly title: string;
  /** The variables that it needs. */
  readonly credentials: readonly string[];
}

/** Well-known DNS providers, by their names for lego. The others are in the table of all providers. */
export const commonProviders: Readonly<Record<string, CommonProvider>> = {
  alidns: {
    title: 'Alibaba Cloud (阿里云)',
    credentials: ['ALICLOUD_ACCESS_KEY', 'ALICLOUD_SECRET_KEY'],
  },
  tencentcloud: {
    title: 'DNSPod, Tencent Cloud (腾讯云)',
    credentials: ['TENCENTCLOUD_SECRET_ID', 'TENCENTCLOUD_SECRET_KEY'],
  },
  huaweicloud: {
    title: 'Huawei Cloud (华为云)',
    credentials: [
      'HUAWEICLOUD_ACCESS_KEY_ID',
      'HUAWEICLOUD_SECRET_ACCESS_KEY',
      'HUAWEICLOUD_REGION',
    ],
  },
  cloudflare: { title: 'Cloudflare', credentials: ['CLOUDFLARE_DNS_API_TOKEN'] },
  desec: { title: 'deSEC', credentials: ['DESEC_TOKEN'] },
  rfc2136: {
    title: 'RFC 2136',
    credentials: [
      'DNSUPDATE_NAMESERVER',
      'DNSUPDATE_TSIG_KEY',
      'DNSUPDATE_TSIG_SECRET',
      'DNSUPDATE_TSIG_ALGORITHM',
    ],
  },
};
