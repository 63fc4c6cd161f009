import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { wireguardKey } from '#contract/site/network/access.ts';
import { readJson } from '#contract/text/json.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { memberName, nodeAddress } from './members.ts';

const port = z.int().min(1).max(65535);
const key = z.string().regex(wireguardKey);

const tokenSchema = z.strictObject({
  name: z.string().regex(memberName),
  /** Of the node, on the interface of WireGuard. */
  address: nodeAddress,
  /** The private key of the node. */
  key,
  /** The first server: its public key, and where it listens. */
  peer: key,
  host: z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/),
  port,
  /** Docker's own token for workers. */
  swarm: z.string().regex(/^SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25}$/),
  /** The port of Ollama on loopback, which the service has on every node. */
  engine: port,
  /** Major version of Docker on the first server. */
  docker: z.int().min(17).max(999),
  /** Seconds since 1970. */
  expires: z.int().min(0),
});

/** What a node needs to join. It contains keys. */
export type NodeToken = z.infer<typeof tokenSchema>;

const prefix = 'landfall-node-1';

/** Formats a token as one word, with a checksum of what is typed. */
export function formatToken(token: NodeToken): string {
  const body = Buffer.from(JSON.stringify(token)).toString('base64url');
  return `${prefix}.${body}.${checksumOf(body)}`;
}

/**
 * Parses a token. Line breaks and spaces in it are ignored: terminals wrap long lines.
 * @throws LandfallError NODE_TOKEN. The error does not contain the token
 */
export function parseToken(text: string, now = Date.now()): NodeToken {
  const [start = '', body = '', checksum] = text.replace(/\s+/g, '').split('.');
  if (!start.startsWith('landfall-node-')) {
    const what = start.startsWith('SWMTKN')
      ? 'this is a token of Docker Swarm, not of Landfall'
      : 'this is not the token of a node';
    throw refused(what);
  }
  if (start !== prefix) throw refused('the token is of another version of Landfall');
  if (checksumOf(body) !== checksum) {
    throw refused('the token is incomplete, or has a typing error');
  }
  const token = readJson(tokenSchema, Buffer.from(body, 'base64url').toString());
  if (token === undefined) throw refused('the token is not valid');
  if (token.expires * 1000 >= now) return token;
  const ended = new Date(token.expires * 1000).toISOString().slice(0, 16).replace('T', ' ');
  throw new LandfallError('NODE_TOKEN', `the token ended at ${ended} UTC`, {
    hint: {
      en: `Make a new one on the first server: sudo landfall node token ${token.name}. If it is new, set the clock of this server.`,
      zh: `在第一台服务器上重新生成：sudo landfall node token ${token.name}。如果它是新的，请校准这台服务器的时钟。`,
    },
  });
}

function checksumOf(body: string): string {
  return sha256Hex(body).slice(0, 8);
}

function refused(message: string): LandfallError {
  return new LandfallError('NODE_TOKEN', message, {
    hint: 'Copy the whole line that `sudo landfall node token <name>` prints on the first server.',
  });
}
