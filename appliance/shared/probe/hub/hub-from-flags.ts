import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import { type ProxyChoice, proxyChooser } from '../choose-proxy.ts';
import { systemNetwork } from '../exchange/network.ts';
import { webUrlOf } from '../target.ts';
import { hubUrl, probeHub } from './probe-hub.ts';
import { bestAttempt, hubTable } from './table.ts';

const huggingFace = 'https://router.huggingface.co/hf-inference';

/** Options of `landfall probe hub`, on both command lines. */
export interface HubFlags {
  readonly url?: string;
  readonly inputs: string;
  readonly proxy?: string;
  readonly json?: boolean;
}

/** The environment of `landfall probe hub`. */
interface HubInputs extends Omit<ProxyChoice, 'option'> {
  /** Returns the access token; undefined or empty if there is none. */
  readonly token: () => Promise<string | undefined>;
  /** PEM of additional certificate authorities. */
  readonly ca?: string | undefined;
}

/**
 * Sends an inference request to the hub as the options demand.
 * @returns what to print, and the exit code
 * @throws LandfallError USAGE for invalid options or without a valid token
 */
export async function hubFromFlags(
  model: string,
  flags: HubFlags,
  inputs: HubInputs,
): Promise<{ text: string; exitCode: number }> {
  const base = webUrlOf(flags.url ?? huggingFace, 'the URL of a hub', huggingFace);
  hubUrl(base, model);
  const network = systemNetwork(inputs.ca);
  const proxyFor = await proxyChooser({ ...inputs, option: flags.proxy });
  const token = checkToken(await inputs.token());
  const report = await probeHub({ base, model, inputs: flags.inputs, token }, network, proxyFor);
  const isAnswered = bestAttempt(report).outcome === 'answered';
  return {
    text: flags.json ? JSON.stringify(report, null, 2) : hubTable(report),
    exitCode: isAnswered ? 0 : rowOfCode('NETWORK_UNREACHABLE').exit,
  };
}

function checkToken(token = ''): string {
  if (/^[\x21-\x7e]{1,512}$/.test(token)) return token;
  const text =
    token === '' ? 'the access token of the hub is missing' : 'the access token is invalid';
  throw new LandfallError('USAGE', text, {
    hint: 'Set HF_TOKEN, or run the command on a terminal to enter the token.',
  });
}
