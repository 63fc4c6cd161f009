import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitForChat } from '../host/boot/first-booted.ts';
import { hostNeeds } from '../host/host-needs.ts';
import { keys } from '../pty/terminal.ts';
import { type Answer, ChatUser } from './chat-user.ts';
import { itAcceptsOnlyTheFirstServer } from './node-view.ts';
import { nodeNames, slots, ThreeServers } from './three-servers.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

/** The tests depend on their order. */
given.describe('three servers from three pastes', () => {
  let servers: ThreeServers;
  let user: ChatUser;
  beforeAll(async () => {
    servers = await ThreeServers.open(given);
  });
  afterAll(async () => {
    await user?.close();
    await servers?.close();
  });

  describe('when they are joined', () => {
    let shown: string;

    it('prints on the first server, while it installs itself, what the site of a node needs', async () => {
      const { status, text } = await servers.start('engines show').end();
      expect(status, text).toBe(0);
      shown = text;
      expect(shown).toContain('role: engine-node');
      expect(shown).toContain(servers.first.host.addresses.v4);
      expect(shown).not.toContain('PRIVATE KEY');
    });

    it('boots two nodes with it, which run Ollama and the gateway only', async () => {
      await servers.bootNodes(shown);
      for (const name of nodeNames) {
        const { host } = servers.node(name);
        expect(await host.output('docker ps --format {{.Names}} | sort')).toBe(
          'landfall-engine\nlandfall-gateway',
        );
      }
    });

    it('adds each node with the line of its report, after a question', async () => {
      for (const name of nodeNames) {
        const { text } = await servers.start('report', servers.node(name)).end();
        const run = servers.start(addLine(text, name));
        await run.shows('Apply it? [y/N]');
        run.type(`y${keys.enter}`);
        const end = await run.end();
        expect(end.status, end.text).toBe(0);
      }
      await waitForChat(servers.first);
      for (const name of nodeNames) await servers.becomes(name, 'up');
      user = await ChatUser.signIn(servers.first.host);
    });

    it.each(nodeNames)('tests the node %s from the first server', async (name) => {
      const { status, text } = await servers.start(`engines test ${name}`).end();
      expect(status, text).toBe(0);
      expect(text).toContain('tokens per second');
    });
  });

  describe('with chats', () => {
    const all = Object.values(slots).reduce((sum, each) => sum + each, 0);
    let answers: Answer[] = [];
    const inState = (state: Answer['state']) => answers.filter((each) => each.state === state);
    const reach = (state: Answer['state'], count: number) =>
      expect.poll(() => inState(state).length, { timeout: 60_000 }).toBe(count);
    afterEach(async () => {
      for (const answer of answers.splice(0)) answer.cancel();
      if (user) await servers.reaches({ local: 0, gpu1: 0, attic: 0 });
    });

    it('answers on all three, and lets the other requests wait', async () => {
      answers = user.askMany(all + 2);
      await servers.reaches(slots);
      await reach('streaming', all);
      expect(inState('waiting')).toHaveLength(2);
      expect((await servers.list()).waiting).toBe(2);
      for (const answer of inState('streaming').slice(0, 2)) answer.cancel();
      await reach('streaming', all);
    });

    it('loses only the streams of a killed node, and uses it again when it is back', async () => {
      const { host } = servers.node('gpu1');
      answers = user.askMany(all);
      await servers.reaches(slots);
      await reach('streaming', all);
      await host.container.kill();
      await reach('cut', slots.gpu1);
      await servers.becomes('gpu1', 'down');
      const { text } = await servers.start('engines').end();
      process.stderr.write(text);
      expect(text).toMatch(/^gpu1 +down/m);
      expect(text).toContain('gpu1 is down: ');
      expect(inState('streaming')).toHaveLength(all - slots.gpu1);
      inState('streaming')[0]?.cancel();
      const later = await Promise.all(user.askMany(3, 5).map(({ end }) => end));
      expect(later).toEqual(['whole', 'whole', 'whole']);

      await host.container.start();
      await servers.becomes('gpu1', 'up');
      answers.push(...user.askMany(slots.gpu1 + 1));
      await servers.reaches(slots);
      await reach('streaming', all);
    });

    it('drains a node without a lost answer, and resumes it', async () => {
      answers = user.askMany(all, 600);
      await servers.reaches(slots);
      const drain = servers.start('engines drain gpu1');
      await drain.shows('gpu1 still works on');
      const { status, text } = await drain.end();
      expect(status, text).toBe(0);
      expect(text).toContain('gpu1 is idle');
      expect(await Promise.all(answers.map(({ end }) => end))).toEqual(answers.map(() => 'whole'));

      answers = user.askMany(all);
      await servers.reaches({ ...slots, gpu1: 0 });
      expect((await servers.list()).waiting).toBe(slots.gpu1);
      expect((await servers.start('engines resume gpu1').end()).status).toBe(0);
      await servers.reaches(slots);
    });

    it.each(nodeNames)('never gave the node %s more requests than its slots', async (name) => {
      expect(await servers.peakOf(name)).toBe(slots[name]);
    });
  });

  describe('seen from outside', () => itAcceptsOnlyTheFirstServer(() => servers));
});

/** Returns the command of a node's report, with the name that the node has on the first server. */
function addLine(report: string, name: string): string[] {
  const found = /landfall (site add engines\.nodes) '([^']+)'/.exec(report.replaceAll('\n', ''));
  if (!found) throw new Error(`the report has no line for the first server: ${report}`);
  const node = { ...JSON.parse(found[2] ?? ''), name };
  return [...(found[1] ?? '').split(' '), JSON.stringify(node)];
}
