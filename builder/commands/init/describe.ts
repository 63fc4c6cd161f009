import { join, relative } from 'node:path';
import { componentOf } from '#contract/component-names.ts';
import { commonProviders } from '#contract/site/certificates/common-providers.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { PackagedRelease } from '../../deliver/packaged/packaged-release.ts';
import { type CompleteAnswers, hasPassword } from './answers.ts';

/** What `landfall init` wrote. */
interface Initialized {
  readonly cwd: string;
  readonly folder: string;
  readonly answers: Pick<
    CompleteAnswers,
    'dnsProvider' | 'frontEnds' | 'importedProxy' | 'releaseUrls' | 'route' | 'user'
  >;
  /** Why the user builds a release, if that was not requested. */
  readonly reason: string | undefined;
}

/** Describes the files and the commands that lead to a release of the user and its user-data. */
export function describeOwnRelease({ cwd, folder, answers, reason }: Initialized): string {
  const shown = relative(cwd, folder);
  const show = (name: string) => join(shown, name);
  const files = [
    [show('appliance.yaml'), say('what the release contains', '版本的内容')],
    [show('appliance.lock.yaml'), say('digests of its images and files', '镜像和文件的摘要')],
    ...siteRows(answers, show),
  ];
  const steps = [
    ['  landfall keygen', say('creates the key that signs your release', '生成签名用的密钥')],
    ['  landfall lock', say('looks up the digests of images and models', '查询镜像和模型的摘要')],
    [
      '  landfall build --full --output dist',
      say('downloads everything into a signed bundle', '下载全部内容，生成签名的发布包'),
    ],
    [
      `  landfall user-data --release dist/*.tar${consent(answers)}`,
      say('renders the text to paste', '生成要粘贴的文本'),
    ],
  ];
  const remarks = [...remarksOn(answers), ...(reason === undefined ? [] : [reason])];
  return page(files, remarks, [...changeFolder(shown), ...steps], last(answers));
}

/** Describes the file and the command that lead to user-data for the release of the package. */
export function describePackagedRelease(
  { cwd, folder, answers }: Omit<Initialized, 'reason'>,
  { product, version, keyId, keyPage }: PackagedRelease,
): string {
  const shown = relative(cwd, folder);
  const facts = [
    ...siteRows(answers, (name) => join(shown, name)),
    [
      say('release', '版本'),
      `${product} ${version}${say(', published and signed by its project', '，由项目发布并签名')}`,
    ],
    [say('key id', '密钥指纹'), formatKeyId(keyId)],
    ['', compareIt(keyPage)],
  ];
  const step = [
    `  landfall user-data${consent(answers)}`,
    say('verifies the release and renders the text to paste', '验证版本，生成要粘贴的文本'),
  ];
  return page(facts, remarksOn(answers), [...changeFolder(shown), step], pasteIt(answers));
}

/** Joins what was written, remarks, the commands that follow, and what comes after those. */
function page(facts: string[][], remarks: string[], steps: string[][], end: string): string {
  return [
    formatTable(facts),
    ...remarks,
    `${say('Next, in this order:', '接下来依次运行：')}\n\n${formatTable(steps)}\n\n${end}\n`,
  ].join('\n\n');
}

/** Describes how the release and, for a proxy client, the proxies get to the server. */
function last(answers: Initialized['answers']): string {
  const [url] = answers.releaseUrls;
  const file = answers.importedProxy === undefined ? say('<file>', '<文件>') : 'proxies.yaml';
  const proxies = answers.route === 'client' ? ` --proxies ${file}` : '';
  if (url === 'push')
    return `${say('Then set up a server that is already running:', '然后部署一台已在运行的服务器：')}
  landfall install root@<${server()}> --release dist${proxies}${consent(answers)}
${say('Or paste user-data.yaml when you create it, and send the bundle:', '或者在创建服务器时粘贴 user-data.yaml，再发送发布包：')}
  landfall push <${say('user', '用户')}>@<${server()}> --release dist${proxies}`;
  return `${say(`Then upload the files in dist to ${url}`, `然后把 dist 中的文件上传到 ${url}`)}
${say('Test the URLs with: ', '测试下载地址：')}landfall user-data --release dist/*.tar --check-urls${consent(answers)}
${pasteIt(answers)}`;
}

/** A proxy password in site.yaml needs the consent of each command that uses it. */
function consent({ route }: Pick<CompleteAnswers, 'route'>): string {
  return hasPassword(route) ? ' --allow-route-password' : '';
}

/** Returns the rows of the site and, if there is one, of the file with its proxy. */
function siteRows(
  { importedProxy }: Pick<CompleteAnswers, 'importedProxy'>,
  show: (name: string) => string,
): string[][] {
  const review = say('settings of your server; review them', '服务器的配置；请检查');
  const secret = say('the proxy with its password; keep it private', '代理及其密码；请勿泄露');
  return [
    [show('site.yaml'), review],
    ...(importedProxy === undefined ? [] : [[show('proxies.yaml'), secret]]),
  ];
}

function pasteIt({ route, user }: Pick<CompleteAnswers, 'route' | 'user'>): string {
  const paste = say(
    'Paste user-data.yaml when you create the server.',
    '创建服务器时粘贴 user-data.yaml。',
  );
  const sending = `ssh ${user}@<${server()}> sudo landfall route import - < proxies.yaml`;
  return route === 'client'
    ? `${paste}\n${say('Then send it your proxies:', '然后发送您的代理节点：')}\n  ${sending}`
    : paste;
}

function compareIt(page: string | undefined): string {
  return page === undefined
    ? say(
        'compare it with a second source of the project, such as its website',
        '请与项目在其他渠道（例如网站）公布的指纹核对',
      )
    : say(`compare it with ${page}`, `请与 ${page} 核对`);
}

/** Returns the word of a placeholder. */
function server(): string {
  return say('server', '服务器');
}

/** Returns a paragraph on the credentials of DNS, and one on the upkeep of each front-end that is on. */
function remarksOn({
  dnsProvider,
  frontEnds,
}: Pick<CompleteAnswers, 'dnsProvider' | 'frontEnds'>): string[] {
  const remarks = frontEnds.flatMap((name) => componentOf(name).upkeep ?? []);
  return [
    ...(dnsProvider === undefined ? [] : [credentialsOf(dnsProvider)]),
    ...(remarks.length === 0 ? [] : [remarks.map((text) => inLanguage(text)).join('\n')]),
  ];
}

/** Describes how the server gets the credentials of a DNS provider, which are not in its user-data. */
function credentialsOf(provider: string): string {
  const names = commonProviders[provider]?.credentials;
  const title = say(
    `After the first boot, set the credentials of ${provider} on the server; it then requests the certificate:`,
    `首次启动后，在服务器上设置 ${provider} 的凭据；之后服务器会申请证书：`,
  );
  const list = '  sudo landfall secret list';
  const lines = names?.map((name) => `  sudo landfall secret set ${name}`) ?? [list];
  return [title, ...lines].join('\n');
}

function changeFolder(shown: string): string[][] {
  return shown === '' ? [] : [[`  cd ${shellWord(shown)}`, '']];
}

/** Quotes a word for a shell where that is needed. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
