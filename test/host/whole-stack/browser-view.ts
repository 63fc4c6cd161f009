import { createHash, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RemoteBrowser, type View } from '../../integration/remote-browser.ts';
import { keep } from './results.ts';
import { model, names, type WholeStack } from './whole-stack.ts';

const desktop: View = { width: 1000, height: 800 };
const phone: View = { width: 390, height: 844 };

/** Tests the user interface in a real browser that trusts only the certificate authority. */
export function itWorksInABrowser(stack: () => WholeStack, root: () => string): void {
  let browser: RemoteBrowser;
  beforeAll(async () => {
    const { pebble } = stack();
    browser = await start(stack(), root(), [
      // Trust comes only from the authority's key.
      `--ignore-certificate-errors-spki-list=${await keyPin(await pebble.intermediate())}`,
    ]);
  });
  afterAll(() => browser?.close());

  it('serves a certificate that a browser without its authority rejects', async () => {
    const strict = await start(stack(), root(), []);
    try {
      const opening = strict.open(`https://${names.ui}/`, desktop);
      await expect(opening).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
    } finally {
      await strict.close();
    }
  });

  it('shows the chat UI, where the administrator signs in and chats', async () => {
    const page = await browser.open(`https://${names.ui}/`, desktop);
    await page.until("document.getElementById('socket').textContent === 'connected'");
    await keep('ui.png', await page.picture());
    const { WEBUI_ADMIN_PASSWORD: password = '' } = await stack().secrets();
    await page.evaluate(fillIn('sign-in', { email: 'ops@example.org', password }));
    await page.until(`document.getElementById('answer').textContent.includes('${model}')`);
    await page.evaluate(fillIn('chat', { prompt: 'Why is the sky blue?' }));
    await page.until("!/^(Signed in|$)/.test(document.getElementById('answer').textContent)");
    await keep('ui-chat.png', await page.picture());
  });

  it.each([
    ['docs', 'index', desktop],
    ['docs-relay', 'relay', desktop],
    ['docs-proxy', 'proxy', desktop],
    ['docs-dark', 'engine', { ...desktop, scheme: 'dark' }],
    ['docs-phone', 'chat', phone],
    ['docs-chinese', 'zh/index', phone],
  ] as const)('shows %s.png: the page %s', async (picture, name, view) => {
    const page = await browser.open(`https://${names.docs}/agents/${name}`, view);
    expect(await page.evaluate("document.querySelectorAll('h1').length")).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
    await keep(`${picture}.png`, await page.picture());
  });

  it.each(['chat', 'lobe'] as const)('shows the front-end %s', async (component) => {
    const page = await browser.open(`https://${names[component]}/`, desktop);
    expect(await page.evaluate('document.title')).not.toBe('');
  });
}

async function start(
  { premises }: WholeStack,
  root: string,
  more: readonly string[],
): Promise<RemoteBrowser> {
  return RemoteBrowser.start(root, {
    args: [
      `--host-resolver-rules=MAP *.example.com ${premises.host.addresses.v4}`,
      `--user-data-dir=/tmp/browser-${process.pid}-${more.length}`,
      ...more,
    ],
    // Separate network namespace: containers of other tests would cause ERR_NETWORK_CHANGED.
    network: await premises.administrator.pid(),
  });
}

/** Returns the key pin of the browser: SHA-256 of the SubjectPublicKeyInfo. */
async function keyPin(certificate: string): Promise<string> {
  const { publicKey } = new X509Certificate(certificate);
  const info = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(info).digest('base64');
}

/** Fills in and submits a form of a page. */
function fillIn(form: string, values: Readonly<Record<string, string>>): string {
  const set = Object.entries(values).map(
    ([name, value]) => `form.elements[${JSON.stringify(name)}].value = ${JSON.stringify(value)};`,
  );
  return `{ const form = document.getElementById('${form}'); ${set.join(' ')} form.requestSubmit(); }`;
}
