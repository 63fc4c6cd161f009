import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { hintsOf, messageOf } from '#contract/text/chinese-errors.ts';
import { inBoth, inLanguage, type Text } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { certificateNames, sitePairPath } from '../../server/certificates/gateway-pairs.ts';
import { checkPair, type Pair } from '../../server/certificates/pair.ts';
import { readPair } from '../../server/certificates/pair-folder.ts';
import type { Host } from '../../server/host/host.ts';
import type { BilingualWarning } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { issuedPair } from './acme-folder.ts';
import { hasTimeCome } from './acme-pair.ts';
import { authorityOf } from './authority.ts';
import { customFolder, ensureCertificate, isServed } from './ensure-certificate.ts';
import { isOfAuthority } from './published-authority.ts';
import { hasTimer } from './timer.ts';

/** Returns the pending actions for the site's certificate. Changes nothing. */
export async function certificateTodo({ host, site }: Context): Promise<string[]> {
  if (site.tls.mode === 'off') return [];
  const current = await readPair(host, sitePairPath);
  const isThere = current !== undefined && (await isWanted(host, site, current));
  return [
    ...(isThere ? [] : [inLanguage(sentence(site))]),
    ...((await hasTimer(host))
      ? []
      : [
          inLanguage({
            en: 'install the timer that renews the certificate',
            zh: '安装续期证书的定时器',
          }),
        ]),
  ];
}

function sentence(site: Site): Text {
  const authority = authorityOf(site);
  if (authority) {
    const { host } = new URL(authority.url);
    return { en: `request a certificate from ${host}`, zh: `向 ${host} 申请证书` };
  }
  return site.tls.mode === 'custom'
    ? { en: `install the certificate in /${customFolder}`, zh: `安装 /${customFolder} 中的证书` }
    : {
        en: "issue a certificate with the server's own authority",
        zh: '用服务器自己的证书颁发机构签发证书',
      };
}

/** Returns whether the installed pair matches the mode, covers every name and is not due for renewal. */
async function isWanted(host: Host, site: Site, current: Pair): Promise<boolean> {
  const problems = checkPair(current, await certificateNames(host, site), new Date());
  if (problems.length > 0 || !(await isServed(host, current.chain))) return false;
  const authority = authorityOf(site);
  if (authority) {
    const issued = await issuedPair(host, authority);
    return issued?.chain === current.chain && !hasTimeCome(current);
  }
  if (site.tls.mode === 'custom') {
    return (await readPair(host, customFolder))?.chain === current.chain;
  }
  return await isOfAuthority(host, current);
}

/**
 * Installs the certificate of the site instead of the self-signed one. Never fails a first boot for a
 * missing certificate, because DNS records are often created later: it warns, and a timer retries
 * (SPEC 3.4).
 */
export const tlsStage: Stage = {
  name: 'tls',
  title: 'tls: certificate',
  check: certificateTodo,
  apply,
  prove,
};

async function apply(context: Context): Promise<void> {
  if (context.site.tls.mode === 'off') return;
  const { open } = await ensureCertificate(context);
  for (const warning of open.flatMap(certificateWarnings)) context.report.warn(warning);
}

/** Formats an error as separate lines. The timer retries every missing certificate. */
export function linesOf(error: LandfallError): Text[] {
  const { message, hint, problems } = error;
  const chinese = hintsOf(error, 'zh');
  const first = {
    en: hint ? `${message} (${hint})` : message,
    zh: formatProblem({ message: messageOf(error).zh, hint: chinese.advice ?? chinese.hint }),
  };
  return [
    { en: `${first.en}; it is requested again automatically`, zh: `${first.zh}；会自动重新申请` },
    ...problems.map((each) => inBoth(formatProblem(each))),
  ];
}

/** Returns the warnings for a missing certificate, for the report and the status. */
export function certificateWarnings(error: LandfallError): BilingualWarning[] {
  return linesOf(error).map(({ en, zh }) => ({
    kind: 'certificate',
    subject: error.code,
    text: { en: `certificate: ${en}`, zh: `证书：${zh}` },
  }));
}

/** Checks that the gateway has a valid pair. Whether browsers trust it depends on the mode. */
async function prove({ host, site }: Context): Promise<void> {
  if (site.tls.mode === 'off') return;
  const pair = await readPair(host, sitePairPath);
  const problems = pair
    ? checkPair(pair, [], new Date())
    : [{ message: 'no certificate is installed' }];
  if (problems.length === 0) return;
  throw new LandfallError('TLS_MATERIAL', 'the gateway has no valid certificate', {
    retriable: true,
    problems,
  });
}
