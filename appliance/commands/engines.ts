import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import type { Engines } from '#contract/site/engines/engines.ts';
import { inLanguage } from '#contract/text/language.ts';
import { commandGroup, exampleText, type JsonFlag, serverFacts } from './command.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

// The code is loaded on demand: most servers have no other servers.

/** `landfall engines`: the servers with Ollama behind HAProxy. */
export function enginesCommand() {
  const list = new Command('list')
    .description('show the state of each server with Ollama (default)')
    .option('--json', 'print it as JSON')
    .action(showEngines);
  const show = new Command('show')
    .description('print what the site of a node needs; on a node, what the first server needs')
    .option('--json', 'print it as JSON')
    .action(showPairing);
  return commandGroup('engines', list, [
    show,
    nodeCommand('drain', 'give a server no new requests, and wait until it is idle', drainNode),
    nodeCommand('resume', 'give a drained server requests again', resumeNode),
    nodeCommand('test', 'test a server: certificate, models, one generation', testOne),
  ])
    .description('several servers with Ollama behind HAProxy: show, drain and test them')
    .addHelpText('after', exampleText('sudo landfall engines', 'sudo landfall engines drain gpu1'));
}

type NodeAction = (name: string, flags: JsonFlag) => Promise<void>;

function nodeCommand(name: string, description: string, action: NodeAction) {
  return new Command(name)
    .description(description)
    .argument('<name>', 'such as gpu1')
    .option('--json', 'print the result as JSON')
    .action(action);
}

async function showEngines({ json }: JsonFlag): Promise<void> {
  const facts = await enginesFacts();
  const { host, site, engines, release } = facts;
  const { balancerState } = await import('../nodes/balancer/socket.ts');
  const { describeEngines } = await import('../nodes/balancer/describe.ts');
  const { askNodes, trustOf } = await import('../nodes/balancer/ask-nodes.ts');
  const state = await balancerState(host);
  // A node that has vanished would delay the command by seconds.
  const down = new Set(state.servers.filter((each) => each.state === 'down').map(nameOf));
  const nodes = engines.nodes.filter(({ name }) => !down.has(name));
  const answers = await askNodes({ ...engines, nodes }, await trustOf(host, site));
  const listed = {
    ...state,
    servers: state.servers.map((each) => ({
      ...withModels(each, engines),
      release: each.name === 'local' ? release.version : answers.get(each.name)?.release,
    })),
  };
  console.log(json ? JSON.stringify(listed, null, 2) : describeEngines(listed));
}

/** Works on each server: the first one has no `engines` before it has a node. */
async function showPairing({ json }: JsonFlag): Promise<void> {
  const { host, site } = await serverFacts();
  const { addNodeCommand, describeNodeSite, nodeEntry, nodeSite } = await import(
    '../nodes/balancer/pairing.ts'
  );
  if (isEngineNode(site)) {
    const entry = await nodeEntry(host, site);
    const head = say('Run this command on the first server:', '在第一台服务器上运行这条命令：');
    const text = `${head}\n${addNodeCommand(entry, site)}`;
    return console.log(json ? JSON.stringify(entry, null, 2) : text);
  }
  const fields = await nodeSite(host);
  console.log(json ? JSON.stringify(fields, null, 2) : describeNodeSite(fields));
}

async function drainNode(name: string, { json }: JsonFlag): Promise<void> {
  const { host } = await enginesFacts();
  const { drain } = await import('../nodes/balancer/socket.ts');
  const { stillWorks } = await import('./node/change.ts');
  const print = (line: string) => (json ? undefined : console.log(line));
  await drain(host, name, (count) => print(stillWorks(name, count)));
  const resumed = `sudo landfall engines resume ${name}`;
  print(
    say(
      `${name} is idle and gets no requests, until: ${resumed}`,
      `${name} 已空闲，不再收到请求，直到运行：${resumed}`,
    ),
  );
  if (json) console.log(JSON.stringify({ name, state: 'draining', inFlight: 0 }, null, 2));
}

async function resumeNode(name: string, { json }: JsonFlag): Promise<void> {
  const { host } = await enginesFacts();
  const { resume } = await import('../nodes/balancer/socket.ts');
  await resume(host, name);
  const text = say(`${name} gets requests again.`, `${name} 重新收到请求。`);
  console.log(json ? JSON.stringify({ name, state: 'ready' }, null, 2) : text);
}

async function testOne(name: string, { json }: JsonFlag): Promise<void> {
  const { host, engines, site, release, server } = await enginesFacts();
  const node = engines.nodes.find((each) => each.name === name);
  if (!node && engines.nodes.length === 0) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: 'only servers that the site lists have this test',
        zh: '只有站点列出的服务器才有这项测试',
      }),
      {
        hint: {
          en: 'For the nodes of a Swarm: sudo landfall node',
          zh: 'Swarm 的节点请用：sudo landfall node',
        },
      },
    );
  }
  if (!node) {
    const { unknownNode } = await import('../nodes/balancer/socket.ts');
    throw unknownNode(
      name,
      engines.nodes.map((each) => each.name),
    );
  }
  const { testNode } = await import('../nodes/balancer/test-node.ts');
  const { trustOf } = await import('../nodes/balancer/ask-nodes.ts');
  const { describeTest } = await import('../nodes/balancer/describe.ts');
  const { OllamaApi } = await import('../server/ollama/ollama-api.ts');
  const { listedName, localModels } = await import('#contract/sizes/local-models.ts');
  const known = (await OllamaApi.of(site).listIfRunning()) ?? [];
  const models = node.models ?? localModels(release, site, server).models.map(listedName);
  const found = await testNode(node, await trustOf(host, site), models, known);
  if (json) console.log(JSON.stringify(found, null, 2));
  else if (found.version !== undefined) console.log(describeTest(found));
  if (found.problems.length === 0) return;
  throw new LandfallError(
    'SMOKE_FAILED',
    inLanguage({ en: `the server ${name} failed its test`, zh: `服务器 ${name} 没有通过测试` }),
    {
      hint: {
        en: 'Fix them on that server, then run the command again.',
        zh: '在那台服务器上解决这些问题，再运行这条命令。',
      },
      problems: found.problems.map((message) => ({ message })),
    },
  );
}

/** @throws LandfallError USAGE for a site without engines */
async function enginesFacts() {
  const facts = await serverFacts();
  const { engines } = facts.site;
  if (engines) return { ...facts, engines };
  if (isEngineNode(facts.site)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: 'this server is an engine node: it knows no others',
        zh: '这台服务器是推理节点，不知道其他服务器',
      }),
      {
        hint: { en: 'Run the command on the first server.', zh: '在第一台服务器上运行这条命令。' },
      },
    );
  }
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: 'the site has no engines: this server runs Ollama alone',
      zh: '站点没有设置 engines：只有这台服务器运行 Ollama',
    }),
    {
      hint: {
        en: 'Add other servers with: sudo landfall site edit (scale.md of the documentation).',
        zh: '添加其他服务器：sudo landfall site edit（见 Landfall 文档 scale.md）。',
      },
    },
  );
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function withModels<State extends { readonly name: string }>(state: State, { nodes }: Engines) {
  const models = nodes.find(({ name }) => name === state.name)?.models;
  return models ? { ...state, models } : state;
}
