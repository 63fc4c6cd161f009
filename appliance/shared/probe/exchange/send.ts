import { isIPv6, connect as open, type Socket } from 'node:net';
import { type SecureContext, connect as secure, type TLSSocket } from 'node:tls';
import { LandfallError } from '#contract/errors.ts';
import { failureReason, tlsFailure, unknownReason } from '#http/failures.ts';
import { bareHost } from '#http/no-proxy.ts';
import { TransferError } from '#http/transfer-error.ts';
import { ipVersion } from '#platform/ip.ts';
import type { Attempt, AttemptFailure, StepName } from './attempt.ts';
import { type Answer, type Call, exchangeOver } from './http-exchange.ts';
import type { ProbeNetwork, Route } from './network.ts';
import { untilReady } from './socket-event.ts';
import { httpTunnel, socksTunnel } from './tunnel.ts';

/** A request over one route, with the response if one arrived. */
interface Sent {
  readonly attempt: Attempt;
  readonly answer?: Answer;
}

/**
 * Sends one request over one route and measures each step. A failed step is part of the result, not
 * an error.
 */
export async function send(call: Call, route: Route, network: ProbeNetwork): Promise<Sent> {
  const { limits, trust } = network;
  const steps = new Steps();
  const host = bareHost(call.url);
  let addresses: readonly string[] = [];
  try {
    let socket: Socket;
    if (route.proxy === undefined) {
      addresses = route.addresses ?? (await steps.run('dns', () => resolve(host, network)));
      socket = await steps.run('tcp', () => connectTo(addresses, portOf(call.url), limits.connect));
    } else {
      socket = await steps.run('proxy', () => openConnection(call.url, route, network));
    }
    if (call.url.protocol === 'https:') {
      const plain = socket;
      socket = await steps.run('tls', () => secureWith(plain, host, trust(), limits.connect));
    }
    const answer = await steps.run('http', () => exchangeOver(socket, call, limits.answer));
    return { attempt: { steps: steps.done, addresses, status: answer.status }, answer };
  } catch (cause) {
    const failure = { step: steps.current, ...reasonOf(cause, steps.current) };
    return { attempt: { steps: steps.done, addresses, failure } };
  }
}

/** Measures steps. */
class Steps {
  readonly done: { name: StepName; took: number }[] = [];
  current: StepName = 'dns';

  async run<T>(name: StepName, step: () => Promise<T>): Promise<T> {
    this.current = name;
    const began = performance.now();
    const result = await step();
    this.done.push({ name, took: Math.round(performance.now() - began) });
    return result;
  }
}

async function resolve(host: string, { lookup, limits }: ProbeNetwork): Promise<string[]> {
  if (ipVersion(host) !== 0) return [host];
  const { promise: late, reject } = Promise.withResolvers<never>();
  const expire = () => reject(Object.assign(new Error('timed out'), { code: 'EAI_AGAIN' }));
  const timer = setTimeout(expire, limits.connect);
  try {
    return (await Promise.race([lookup(host), late])).map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Opens a connection to the host of a URL: directly, or through the proxy of the route.
 * @param speaksFirst whether the target may send before the client, as SSH does
 * @throws LandfallError NETWORK_PROXY if the proxy refuses; Error with `code`
 */
export async function openConnection(
  url: URL,
  { proxy }: Route,
  network: ProbeNetwork,
  speaksFirst = false,
): Promise<Socket> {
  const { connect } = network.limits;
  const target = { host: bareHost(url), port: portOf(url) };
  if (proxy === undefined)
    return await connectTo(await resolve(target.host, network), target.port, connect);
  const addresses = await resolve(bareHost(proxy.url), network);
  const plain = await connectTo(addresses, portOf(proxy.url), connect);
  const isSecure = proxy.url.protocol === 'https:';
  const name = bareHost(proxy.url);
  const socket = isSecure ? await secureWith(plain, name, network.trust(), connect) : plain;
  if (proxy.kind === 'socks5') return await socksTunnel(socket, proxy, target, connect);
  return await httpTunnel(socket, proxy, `${url.hostname}:${target.port}`, connect, speaksFirst);
}

/** Default ports by scheme, as URL has it. */
const ports: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks:': 1080,
  'socks5:': 1080,
  'socks5h:': 1080,
};

function portOf({ port, protocol }: URL): number {
  return port === '' ? (ports[protocol] ?? 0) : Number(port);
}

/** Returns why a step failed, from the error of Node or from our own. */
function reasonOf(cause: unknown, step: StepName): Omit<AttemptFailure, 'step'> {
  if (cause instanceof TransferError) {
    return { code: cause.code, reason: cause.message, proxyStatus: cause.status };
  }
  if (cause instanceof LandfallError) return { code: cause.code, reason: cause.message };
  const code = codeOf(cause);
  // A proxy that disconnects during the handshake is not a TLS failure.
  const tls = tlsFailure(code);
  if (tls !== undefined) return { code: 'NETWORK_TLS', reason: tls.text };
  const known = failureReason(code) ?? unknownReason(code);
  return { code: step === 'proxy' ? 'NETWORK_PROXY' : known.code, reason: known.text };
}

function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  const text = typeof code === 'string' ? code : '';
  return text.startsWith('HPE_') ? 'HPE_REFUSED' : text;
}

/**
 * Connects to the first of these addresses that accepts the connection.
 * @throws Error of the socket; `code` is ETIMEDOUT after the timeout
 */
async function connectTo(
  addresses: readonly string[],
  port: number,
  timeout: number,
): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first = { address: '', family: 4 }] = found;
  const socket = open({
    host: 'probed.invalid',
    port,
    // Node's default of 250 ms per address is too short for intercontinental connections.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.min(2500, timeout),
    lookup: (_name, options, done) =>
      options.all ? done(null, found) : done(null, first.address, first.family),
  });
  await untilReady(socket, 'connect', timeout);
  return socket;
}

/**
 * Opens TLS on a connection and verifies the name and the trust of the certificate.
 * @throws Error of the socket, or with the code of a verification
 */
async function secureWith(
  socket: Socket,
  host: string,
  secureContext: SecureContext,
  timeout: number,
): Promise<TLSSocket> {
  const servername = ipVersion(host) === 0 ? { servername: host } : {};
  const options = { socket, host, ...servername, secureContext, ALPNProtocols: ['http/1.1'] };
  const encrypted = secure(options);
  try {
    await untilReady(encrypted, 'secureConnect', timeout);
    return encrypted;
  } catch (cause) {
    socket.destroy();
    throw cause;
  }
}
