import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signInEmail } from '#contract/site/email.ts';
import { runSmoke } from '../../appliance/shared/smoke/run-smoke.ts';
import { registerModels } from '../../appliance/shared/smoke/ui-models.ts';
import {
  type DocumentLimits,
  documentLimits,
} from '../../appliance/stages/stack/document-limits.ts';
import { needs } from '../integration/needs.ts';
import { RunningStack } from '../integration/stack/running-stack.ts';
import { insideOf } from '../integration/stack/smoke-target.ts';
import { RealBrowser } from './browser/browser.ts';
import { Person } from './browser/person.ts';
import { docxFile, pdfFile, textFile } from './files.ts';
import { notices } from './notices.ts';
import { names, realModels, replies } from './real-models.ts';

const real = needs(
  'engine',
  'registry',
  'composePlugin',
  'browser',
  'openWebUi',
  'ollama',
  'llamaSource',
);

const url = 'https://chat.example.com';
/** Screenshots of each step, for people to look at. */
const pictures = fileURLToPath(new URL('../output/real', import.meta.url));
const friend = { name: 'Mei', email: 'mei@example.org', password: 'Green-River-7!' };
/** Returns the first address of each network of the test's Docker, which this machine has. */
async function addressesOfThisMachine(socketPath: string): Promise<string[]> {
  const { DefaultAddressPools } = await new Docker({ socketPath }).info();
  const [start] = DefaultAddressPools[0].Base.split('.0.0/');
  return Array.from({ length: 16 }, (_, index) => `${start}.${index}.1/32`);
}

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

real.describe('the chat, with real Open WebUI, real Ollama and a real browser', () => {
  let stack: RunningStack;
  let browser: RealBrowser;
  let admin: Person;
  let guest: Person;
  let limits: DocumentLimits;

  const password = () => stack.secrets.WEBUI_ADMIN_PASSWORD ?? '';
  const email = () => signInEmail(stack.rig.input.site);
  /** Returns how many generations Ollama was asked for. */
  const generations = async () => {
    const log = await stack.rig.compose('logs', 'engine');
    return [...log.matchAll(/POST\s+"\/(?:api\/(?:chat|generate)|v1\/[a-z/]+)"/g)].length;
  };

  beforeAll(async () => {
    await rm(pictures, { recursive: true, force: true });
    await mkdir(pictures, { recursive: true });
    const models = await realModels(real.llamaSource);
    stack = await RunningStack.start({
      ...real,
      images: { ui: real.openWebUi, engine: real.ollama },
      models: models.local,
      site: { firewall: { unlimited: await addressesOfThisMachine(real.engine) } },
    });
    await models.put(await stack.rig.volumeFolder('engine-data', 'models'));
    await registerModels(await insideOf(stack), [
      ...models.local.models.map(({ name, role }) => ({
        ...{ name, role, thinks: role === 'chat' },
        sees: false,
      })),
      { name: names.plain, role: 'chat' },
      { name: names.endless, role: 'chat' },
    ]);
    limits = documentLimits(models.local.embedding, stack.rig.input.server);
    browser = await RealBrowser.start(real.browser, await stack.rig.address('gateway'), [
      'chat.example.com',
    ]);
    admin = new Person(await browser.window(), join(pictures, 'admin'));
    guest = new Person(await browser.window(phone), join(pictures, 'guest'));
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.leave();
    await stack?.close();
  });

  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => {
      for (const person of [admin, guest]) await person.describe();
      const complaints = browser.complaints.slice(-5).join(' | ');
      process.stderr.write(`  errors of the browser: ${complaints}\n`);
    });
  });

  it('lets the administrator sign in, and shows the chat without release notes', async () => {
    await admin.signIn(url, email(), password());
    await admin.picture('signed-in');
    expect(await admin.page.locator('[role=dialog]').count()).toBe(0);
  });

  it('hides the calendar of prompts that are off, and the documentation of its API', async () => {
    await admin.page.getByRole('button', { name: 'User menu' }).first().click();
    await admin.page.getByText('Sign Out').waitFor();
    expect(await admin.page.locator('[href="/calendar"]').count()).toBe(0);
    await admin.page.keyboard.press('Escape');
    expect((await stack.ask(`${url}/openapi.json`)).text).not.toContain('"openapi"');
  });

  it('answers hello with one generation', async () => {
    const before = await generations();
    expect(await admin.ask('hello')).toBe(replies.chat);
    await admin.picture('hello');
    expect(await generations()).toBe(before + 1);
  });

  it('shows the first words as the title at once', async () => {
    await admin.page.locator('nav').filter({ hasText: 'hello' }).first().waitFor();
  });

  it('answers a second message, and keeps both across a reload', async () => {
    expect(await admin.ask('What is this?')).toContain(replies.chat);
    await admin.page.reload();
    await expect.poll(() => admin.replies.count(), { timeout: 30_000 }).toBe(2);
    await admin.picture('reloaded');
  });

  it('offers chat models, without the embedding model', async () => {
    const listed = await admin.models();
    await admin.picture('models');
    expect(listed).toEqual(expect.arrayContaining([names.chat, names.plain, 'stand-in-1']));
    expect(listed).not.toContain(names.embedding);
  });

  it('thinks when the user turns it on in the menu', async () => {
    await admin.newChat(url, names.chat);
    await admin.setThinking('On');
    expect(await admin.ask('hello')).toMatch(/^Thought for/);
    await admin.picture('thinking');
    await admin.setThinking('Off');
    expect(await admin.ask('hello')).toBe(replies.chat);
  });

  describe('with documents', () => {
    const secret = 'The maintenance code is blue heron.';
    it.each([
      ['a PDF', pdfFile('manual.pdf', secret)],
      ['a Word document', docxFile('manual.docx', secret)],
      [
        'a Chinese text with a Chinese name',
        textFile('使用说明.txt', '服务器的维护口令是青山绿水。'),
      ],
      // Every character is a token, and Open WebUI's own passages are four times as long as the model reads.
      ['a long Chinese text', textFile('规程.txt', '巡检人员每日核对机房温度与湿度，'.repeat(150))],
      ['code', textFile('code.txt', 'if(a[i]!=b[j]){x+=f(y^0xff)<<3;}\n'.repeat(80))],
      [
        'a text in many scripts',
        textFile(
          'scripts.txt',
          '한국어 문서 ภาษาไทย हिन्दी العربية ελληνικά 🦉🌊 русский,'.repeat(60),
        ),
      ],
    ])('answers a question about %s and names it', async (_kind, file) => {
      await admin.newChat(url, names.chat);
      await admin.attach(file);
      const before = await generations();
      expect(await admin.ask('What is the maintenance code?')).toContain('1 Source');
      expect(await generations()).toBe(before + 1);
      await admin.page.getByText('1 Source').first().click();
      await admin.page.getByText(file.name).last().waitFor();
      await admin.picture('document');
    });
  });

  it('streams the answer of a hosted model through the relay', async () => {
    await admin.newChat(url, 'stand-in-1');
    expect(await admin.ask('hello')).toContain('Hello from the provider');
    await admin.picture('hosted');
  });

  it('chats with a model whose template has no tools', async () => {
    await admin.newChat(url, names.plain);
    expect(await admin.ask('hello')).toContain(replies.plain);
    await admin.picture('no-tools');
  });

  it('stops in the middle of a reply, and answers the next question', async () => {
    await admin.newChat(url, names.endless);
    await admin.send('count');
    await admin.replies.filter({ hasText: 'nine' }).first().waitFor();
    await admin.stop();
    await admin.picture('stopped');
    await admin.newChat(url, names.chat);
    expect(await admin.ask('hello')).toContain(replies.chat);
  });

  it('names the limit of an upload that is too large', async () => {
    await admin.newChat(url);
    await admin.attach({
      name: 'large.txt',
      buffer: Buffer.alloc((limits.file << 20) + 1, 0),
    });
    await admin.notice(new RegExp(`\\b${limits.file} ?MB\\b`));
    await admin.picture('too-large');
  });

  it('names the limit of a text that takes too long to read, and the chat goes on', async () => {
    await admin.newChat(url, names.chat);
    await admin.attach({ name: 'long.txt', buffer: Buffer.alloc(limits.text * 1e6 + 1, 'a ') });
    await admin.notice(`the limit is ${limits.text} MB`);
    await admin.picture('too-long');
    expect(await admin.ask('hello')).toBe(replies.chat);
  });

  it('says that a pasted text is too long, and generates nothing', async () => {
    await admin.newChat(url, names.chat);
    const before = await generations();
    await admin.paste('word '.repeat(30_000));
    await admin.page.locator('#send-message-button').click();
    await admin.page.getByText('This message is too long: about 37500 tokens').first().waitFor();
    await admin.picture('pasted');
    expect(await generations()).toBe(before);
    // The page forgets the rejected message as soon as the server has stored the next one.
    await admin.send('hello');
    await admin.replies.filter({ hasText: replies.chat }).first().waitFor();
    await admin.finished();
    await admin.page.reload();
    await expect.poll(() => admin.replies.allInnerTexts(), { timeout: 30_000 }).toHaveLength(1);
  });

  it('rejects a web page at once, and the chat goes on', async () => {
    await admin.newChat(url, names.chat);
    await admin.attachWebPage('https://example.com/');
    await admin.notice('does not open web pages');
    await admin.picture('web-page');
    expect(await admin.ask('hello')).toContain(replies.chat);
  });

  it('names the rule of passwords when the administrator adds an account', async () => {
    await admin.openNewAccount(url);
    await admin.fillNewAccount({ ...friend, password: 'simple' });
    await admin.notice('at least 8 characters');
    await admin.picture('password-rule');
  });

  it('adds an account that can chat at once', async () => {
    await admin.fillNewAccount(friend);
    await admin.page.getByText(friend.email).first().waitFor();
    await admin.picture('account');
  });

  it('lets the new account chat on a phone, with local models only', async () => {
    await guest.signIn(url, friend.email, friend.password);
    await guest.picture('phone');
    expect(await guest.ask('hello')).toContain(replies.chat);
    await guest.picture('phone-hello');
    const listed = await guest.models();
    expect(listed).toContain(names.chat);
    expect(listed).not.toContain('stand-in-1');
  });

  it('lets the administrator sign in after fifteen wrong passwords of a stranger', async () => {
    const attack = `for (let i = 0; i < 15; i += 1) {
      const body = JSON.stringify({ email: '${email()}', password: 'wrong-' + i });
      const headers = { host: 'chat.example.com', 'content-type': 'application/json' };
      await new Promise((done) => require('node:https').request('https://gateway/api/v1/auths/signin',
        { method: 'POST', headers, rejectUnauthorized: false, servername: 'chat.example.com' },
        (answer) => { console.log(answer.statusCode); answer.resume().on('end', done); }).end(body));
    }`;
    const { output } = await stack.rig.exec('relay', 'node', '-e', `(async () => { ${attack} })()`);
    const statuses = output.trim().split('\n');
    expect(statuses).toHaveLength(15);
    expect(statuses.filter((status) => status === '429').length).toBeGreaterThanOrEqual(11);
    await admin.signOut(url);
    await admin.signIn(url, email(), password());
    await admin.picture('signed-in-again');
  });

  notices(() => ({ admin, guest, rig: stack.rig, url }));

  it('passes the smoke tests of the product', async () => {
    const models = stack.rig.input.models?.models ?? [];
    const target = await insideOf(
      stack,
      models.map(({ name, role, manifest }) => ({ name, role, digest: manifest })),
    );
    const results = await runSmoke(target);
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toEqual([]);
  });

  it('keeps accounts, chats and models across a restart of the stack', async () => {
    await stack.rig.compose('restart', 'engine', 'ui');
    await stack.rig.compose('up', '--detach', '--wait', '--wait-timeout', '300');
    // The model that a person chose last stays chosen.
    await guest.newChat(url, names.chat);
    expect(await guest.ask('hello')).toContain(replies.chat);
    await admin.newChat(url, names.chat);
    expect(await admin.ask('hello')).toContain(replies.chat);
  });

  it('requests nothing from other origins, and violates no policy', () => {
    expect(browser.strays).toEqual([]);
    expect(browser.complaints.filter((text) => /content security policy/i.test(text))).toEqual([]);
  });
});
