import { existsSync } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import { inLanguage } from '#contract/text/language.ts';
import { systemBundle } from '../../../server/host/download/route-environment.ts';

import {
  differences,
  hasText,
  install,
  type ManagedFile,
  type Service,
} from '../../../server/host/service.ts';
import type { Measure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { restartResolved } from '../dns/dns.ts';

/** Folder of additional certificate authorities; see update-ca-certificates(8). */
const folder = 'usr/local/share/ca-certificates';
const earlier = /\/landfall-site-\d+\.crt$/;
/** Written by cloud-init with user-data of the site. The files of this stage replace them. */
const cloudInits = /\/cloud-init-ca-cert-\d+\.crt$/;
const tool = 'usr/sbin/update-ca-certificates';

/** Makes the system trust the site's certificate authorities, and no earlier ones of Landfall. */
export const trustMeasure: Measure = {
  async check(context) {
    const { isStale, isTrusted } = await stateOf(context);
    if (isStale)
      return [
        inLanguage({
          en: 'update the certificate authorities of the system',
          zh: '更新系统信任的 CA 证书',
        }),
      ];
    return isTrusted
      ? []
      : [
          inLanguage({
            en: 'trust the certificate authorities of the site',
            zh: '信任站点的 CA 证书',
          }),
        ];
  },

  async apply(context) {
    const { host, site, report } = context;
    const { service, isStale, isTrusted } = await stateOf(context);
    if (!isStale && isTrusted) return;
    const needsTool = siteCertificates(site).length > 0 && !existsSync(host.path(tool));
    const packages = needsTool ? ['ca-certificates'] : [];
    await install(host, { ...service, packages }, report);
    // Without --fresh, the links of removed files stay in /etc/ssl/certs.
    const options = isStale ? ['--fresh'] : [];
    if (existsSync(host.path(tool))) await host.run('update-ca-certificates', options);
    // systemd-resolved reads the certificate authorities when it starts.
    if (site.dns?.tls) await restartResolved(host);
  },

  async prove(context) {
    if ((await stateOf(context)).isTrusted) return;
    throw new LandfallError('ROUTE_BLOCKED', 'the system does not trust the CA of the site', {
      hint: {
        en: `Run \`sudo update-ca-certificates --fresh\` and check whether /${systemBundle} contains it.`,
        zh: `运行 \`sudo update-ca-certificates --fresh\`，并检查 /${systemBundle} 中有没有它。`,
      },
      retriable: false,
    });
  },
};

async function stateOf(inputs: Context) {
  const certificates = siteCertificates(inputs.site);
  const service = await authorities(inputs);
  const { files } = await differences(inputs.host, service);
  const isWritten = files.every(({ text }) => text === undefined);
  const inBundle = async () =>
    await hasText(inputs.host, systemBundle, (bundle) =>
      certificates.every((text) => bundle.includes(text)),
    );
  return {
    service,
    /** Whether files of earlier authorities exist. */
    isStale: files.some(({ text }) => text === undefined),
    isTrusted: certificates.length === 0 || (isWritten && (await inBundle())),
  };
}

/** Returns the files of the site's authorities, those of earlier ones, and cloud-init's copies. */
async function authorities({ host, site }: Context): Promise<Service> {
  const certificates = siteCertificates(site);
  const files = certificates.map((text, index) => ({
    path: `${folder}/landfall-site-${index + 1}.crt`,
    text,
  }));
  const others = (await host.namesIn(folder))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !files.some((file) => file.path === path));
  const isCopy = (text: string) => certificates.some((each) => each.trim() === text.trim());
  const stale: ManagedFile[] = others
    .filter((path) => earlier.test(path))
    .map((path) => ({ path, text: undefined }));
  const copies: ManagedFile[] = others
    .filter((path) => cloudInits.test(path))
    .map((path) => ({
      path,
      text: (current = '') => (isCopy(current) ? undefined : current),
    }));
  return { files: [...files, ...stale, ...copies] };
}
