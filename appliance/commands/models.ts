import { shortModelName } from '#contract/bundle/model-name.ts';
import type { Facts } from '../load-facts.ts';
import { EngineApi } from '../models/engine-api.ts';
import { describeModels, listModels } from '../models/list-models.ts';
import { modelStates, readModelName } from '../models/model-states.ts';
import { pullByHand } from '../models/pull-by-hand.ts';
import { removeByHand } from '../models/remove-by-hand.ts';
import { screenReporter } from '../progress/terminal/screen-reporter.ts';
import { updateModels } from '../report/update-models.ts';
import { localModels } from '../stack/local-models.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';
import { readNamedCall } from './read-named-call.ts';
import { type Action, runAction } from './run-action.ts';

const actions: Readonly<Record<string, Action>> = { list, pull, remove };

export const modelsCommand: Command = {
  summary: "the engine's models: which there are, fetch one, remove one",
  usage: 'list [--json] | pull NAME [--mirror URL] | remove NAME',
  example: 'sudo landfall models pull qwen3:8b',
  root: true,
  run: (args) => runAction('models', actions, 'list', args),
};

async function list(facts: Facts, args: readonly string[]): Promise<void> {
  const { json } = readFlags('models list', args, ['json']);
  const { models: chosen } = localModels(facts.release, facts.site, facts.server);
  const listed = await EngineApi.of(facts.site).list();
  const found = listModels(listed, await modelStates(facts), chosen);
  console.log(json ? JSON.stringify(found, null, 2) : describeModels(found));
}

/** Ctrl-C ends it at any time; the next pull goes on where this one was. */
async function pull(facts: Facts, args: readonly string[]): Promise<void> {
  const { name, options } = readNamedCall('models pull', args, { mirror: { type: 'string' } });
  const { reporter, end } = screenReporter(process.stdout);
  try {
    await pullByHand({ ...facts, report: reporter }, readModelName(name), options.mirror);
  } finally {
    end();
  }
  console.log(`${shortModelName(readModelName(name))} is here.`);
  await updateModels(facts);
}

async function remove(facts: Facts, args: readonly string[]): Promise<void> {
  const { name } = readNamedCall('models remove', args, {});
  const short = shortModelName(readModelName(name));
  const comesBack = await removeByHand(facts, readModelName(name));
  console.log(`${short} is gone.`);
  if (comesBack) {
    console.log('It is chosen for this server: the next sudo landfall first-boot pulls it again.');
  }
  await updateModels(facts);
}
