import { Command } from 'commander';
import { commandGroup, exampleText, serverContext } from '../command.ts';

// The code is loaded on demand: most servers are in no Swarm.

/** `landfall node`: the servers that run Ollama as a service of Docker Swarm. */
export function nodeCommand() {
  const list = new Command('list')
    .description('show each node: connection, Ollama, Docker (default)')
    .option('--json', 'print it as JSON')
    .action(async (flags) => {
      const { listNodes } = await import('./list.ts');
      await listNodes(await serverContext(), flags);
    });
  return commandGroup('node', list, [
    tokenCommand(),
    joinCommand(),
    change('drain', 'give a node no new requests, wait until it is idle, and stop its Ollama'),
    change('resume', 'start Ollama on a drained node again'),
    change('remove', 'take a node out of the Swarm for good').option(
      '--yes',
      'do not ask for confirmation',
    ),
    leaveCommand(),
  ])
    .description('nodes of a Docker Swarm: let a server join, show, drain and remove it')
    .addHelpText(
      'after',
      exampleText('sudo landfall node token gpu1', 'sudo landfall node join', 'sudo landfall node'),
    );
}

function tokenCommand() {
  return new Command('token')
    .description('make a token with which one server can join, on the first server')
    .argument('<name>', 'a new name, such as gpu1')
    .option('--yes', 'do not ask, also if the node has joined')
    .option('--json', 'print it as JSON')
    .action(async (name, flags) => {
      const { makeToken } = await import('./token.ts');
      await makeToken(await serverContext(), name, flags);
    });
}

function joinCommand() {
  return new Command('join')
    .description('make this engine node join; asks for the token')
    .option('--json', 'print the result as JSON')
    .action(async (flags) => {
      const { joinByHand } = await import('./join.ts');
      await joinByHand(await serverContext(), flags);
    });
}

function leaveCommand() {
  return new Command('leave')
    .description('make this engine node leave the Swarm')
    .option('--yes', 'do not ask for confirmation')
    .action(async (flags) => {
      const { leaveByHand } = await import('./leave.ts');
      await leaveByHand(await serverContext(), flags);
    });
}

function change(name: 'drain' | 'resume' | 'remove', description: string) {
  return new Command(name)
    .description(description)
    .argument('<name>', 'such as gpu1')
    .option('--json', 'print the result as JSON')
    .action(async (node, flags) => {
      const changes = await import('./change.ts');
      await changes[name](await serverContext(), node, flags);
    });
}
