import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitForChat } from '../host/boot/first-booted.ts';
import { hostNeeds } from '../host/host-needs.ts';
import { type Answer, ChatUser, model } from './chat-user.ts';
import { itRefusesWhatCannotJoin } from './swarm-bad-input.ts';
import { itTakesItsNodesBack } from './swarm-restore.ts';
import { SwarmServers } from './swarm-servers.ts';
import { itUpdatesAllServers } from './swarm-update.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

/** Prints a measured time, which the documents name. */
const note = (what: string, milliseconds: number) =>
  process.stderr.write(`  ${what}: ${(milliseconds / 1000).toFixed(1)} s\n`);

/** The tests depend on their order. */
given.describe('a Swarm of engine nodes', () => {
  let servers: SwarmServers;
  let user: ChatUser;
  beforeAll(async () => {
    servers = await SwarmServers.open(given);
    await servers.bootNodes('gpu1', 'gpu2');
  });
  afterAll(async () => {
    await user?.close();
    await servers?.close();
  });

  it('starts with one command, which says what restarts', async () => {
    const { status, text } = await servers.turnOn();
    expect(status, text).toBe(0);
    expect(text).toContain('Swarm needs that');
    await waitForChat(servers.first);
    user = await ChatUser.signIn(servers.first.host);
  });

  it('lists no nodes before one has joined', async () => {
    const { status, text } = await servers.start('node').end();
    expect(status, text).toBe(0);
    expect(text).toContain('No nodes yet');
  });

  it('lets a node join with the token that is typed', async () => {
    const token = await servers.token('gpu1');
    const began = performance.now();
    const { status, text } = await servers.join('gpu1', token);
    note('join', performance.now() - began);
    expect(status, text).toBe(0);
    expect(text).toContain('gpu1 has joined');
    expect(text).not.toContain(token.slice(20, 60));
    await servers.becomes('gpu1', 'up');
    note('join, until it gets requests', performance.now() - began);
    expect(await servers.list()).toMatchObject([
      { name: 'gpu1', state: 'ready', ollama: 'running' },
    ]);
  });

  it('prints no line about ignored keys when it deploys', async () => {
    const { host } = servers.first;
    const stack = '/var/lib/landfall/stack/swarm.yaml';
    const deploy = `docker stack deploy --detach=true --resolve-image never -c ${stack} landfall 2>&1`;
    const plain = deploy.replace('--detach=true ', '');
    const { stdout } = await host.run(`${deploy} || ${plain}`);
    expect(stdout).not.toMatch(/[Ii]gnor|[Uu]nsupported/);
    expect(await host.output('landfall stack render --swarm')).toBe(
      await host.output(`cat ${stack}`),
    );
  });

  it('publishes Ollama of a node on its loopback address only', async () => {
    const { host } = servers.node('gpu1');
    const listeners = await host.output("ss -Hltn sport = :11434 | awk '{print $4}'");
    expect(listeners).toBe('127.0.0.1:11434');
    await host.output('curl -sf http://127.0.0.1:11434/api/tags');
    expect((await host.run('landfall smoke')).exitCode).toBe(0);
    expect(await host.output('landfall status')).toContain('engine');
  });

  describe('with bad input', () => itRefusesWhatCannotJoin(() => servers));

  describe('with chats', () => {
    const slots = { local: 1, gpu1: 2, gpu2: 2 };
    const all = 5;
    let answers: Answer[] = [];
    const inState = (state: Answer['state']) => answers.filter((each) => each.state === state);
    const reach = (state: Answer['state'], count: number) =>
      expect.poll(() => inState(state).length, { timeout: 60_000 }).toBe(count);
    afterEach(async () => {
      for (const answer of answers.splice(0)) answer.cancel();
      if (user) await servers.reaches({ local: 0 });
    });

    it('gives a machine that joins a running pair its share within a minute', async () => {
      answers = user.askMany(all);
      await servers.reaches({ local: 1, gpu1: 2 });
      const token = await servers.token('gpu2');
      const began = performance.now();
      expect(await servers.join('gpu2', token)).toMatchObject({ status: 0 });
      await servers.reaches(slots);
      const took = performance.now() - began;
      note('join, until it works on requests that waited', took);
      expect(took).toBeLessThan(60_000);
      await reach('streaming', all);
    });

    it('loses only the streams of a killed node, and uses it again when it is back', async () => {
      const { host } = servers.node('gpu2');
      answers = user.askMany(all);
      await servers.reaches(slots);
      await reach('streaming', all);
      const [began, at] = [performance.now(), Date.now()];
      await host.container.kill();
      const down = (await servers.whenDown(at)) - at;
      note('killed node, out of rotation', down);
      expect(down).toBeLessThan(5000);
      await reach('cut', slots.gpu2);
      note('lost streams of a killed node', performance.now() - began);
      await servers.becomes('gpu2', 'down');
      const { text } = await servers.start('node').end();
      process.stderr.write(text);
      expect(inState('streaming')).toHaveLength(all - slots.gpu2);
      inState('streaming')[0]?.cancel();
      const later = await Promise.all(user.askMany(3, 5).map(({ end }) => end));
      expect(later).toEqual(['whole', 'whole', 'whole']);

      await host.container.start();
      note('killed node, back in rotation', await servers.becomes('gpu2', 'up'));
    });
  });

  it('sends nothing to a node but packets of WireGuard', async () => {
    const { host } = servers.node('gpu1');
    const { v4, v6 } = servers.first.host.addresses;
    const link = `host ${v4} or host ${v6}`;
    const capture = host.run(`timeout 25 tcpdump -Z root -U -ni any -w /tmp/link.pcap ${link}`);
    const answers = user.askMany(3, 20);
    expect(await Promise.all(answers.map(({ end }) => end))).toEqual(answers.map(() => 'whole'));
    await capture;
    const count = (filter: string) =>
      host.output(`tcpdump -nr /tmp/link.pcap '${filter}' 2>/dev/null | wc -l`);
    expect(Number(await count('udp port 51820'))).toBeGreaterThan(20);
    expect(await count(`not udp port 51820 and not arp and not icmp6`)).toBe('0');
    expect(await host.output('grep -c "sky blue" /tmp/link.pcap || true')).toBe('0');
  });

  it('shows its log and restarts it on the node, where it cannot be stopped', async () => {
    const { host } = servers.node('gpu1');
    const run = (words: string) => servers.start(words, servers.node('gpu1')).end();
    expect((await run('logs engine')).text).toContain('engine');
    const before = await host.output('docker ps --quiet --filter name=landfall_engine');
    const { status, text } = await run('restart engine --yes');
    expect(status, text).toBe(0);
    expect(await host.output('docker ps --quiet --filter name=landfall_engine')).not.toBe(before);
    await servers.becomes('gpu1', 'up');
    expect(await run('stop engine --yes')).toMatchObject({ status: 2 });
  });

  it('shows 22, 80, 443 of the first server and 22 of a node from outside', async () => {
    const { host } = servers.node('gpu1');
    const stranger = await servers.first.cloud.outsider();
    const ports = await stranger.ports(host.addresses.v4, [22, 2377, 7946, 11434, 11443]);
    expect(ports).toMatchObject({ 22: 'open' });
    for (const port of [2377, 7946, 11434, 11443]) expect(ports[port]).not.toBe('open');
    const first = await stranger.ports(servers.first.host.addresses.v4, [2377, 7946, 11434]);
    expect(Object.values(first)).not.toContain('open');
  });

  it('says on a node that it may be drained', async () => {
    expect(await servers.start('node drain gpu1').end()).toMatchObject({ status: 0 });
    const { host } = servers.node('gpu1');
    await host.waitFor('[ -z "$(docker ps --quiet --filter name=landfall_engine)" ]', 60);
    for (const words of ['doctor', 'status', 'restart engine --yes']) {
      const { stdout } = await host.run(`landfall ${words} 2>&1`);
      expect(stdout).toContain('sudo landfall node list');
    }
    expect(await servers.start('node resume gpu1').end()).toMatchObject({ status: 0 });
    await servers.becomes('gpu1', 'up');
  });

  it('drains, resumes and removes a node', async () => {
    const run = async (words: string) => {
      const { status, text } = await servers.start(words).end();
      expect(status, text).toBe(0);
      return text;
    };
    expect(await run('node drain gpu2')).toContain('gpu2 is idle');
    await expect
      .poll(() => servers.list(), { timeout: 60_000 })
      .toMatchObject([{ name: 'gpu1' }, { name: 'gpu2', state: 'drained' }]);
    await run('node resume gpu2');
    await servers.becomes('gpu2', 'up');
    const { host } = servers.node('gpu2');
    const deleted = `curl -sf -X DELETE http://127.0.0.1:11434/api/delete -d '{"model":"${model}"}'`;
    await host.output(deleted);
    await servers.becomes('gpu2', 'down');
    expect(await run('engines')).toContain(`gpu2 is down: ${model} is missing`);
    await run('node remove gpu2 --yes');
    expect(await servers.list()).toMatchObject([{ name: 'gpu1' }]);
    const left = await servers.start('node leave --yes', servers.node('gpu2')).end();
    expect(left.status, left.text).toBe(0);
    await host.output('landfall first-boot', { limit: 300 });
    expect(await host.output('curl -sf http://127.0.0.1:11434/api/tags')).toContain(model);
  });

  describe('with a channel of releases', () => itUpdatesAllServers(() => servers));

  describe('when the first server is lost', () => itTakesItsNodesBack(() => servers));
});
