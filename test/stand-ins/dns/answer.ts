import { isIPv4 } from 'node:net';

/** The addresses of each name; a missing name does not exist. */
export type Zone = Readonly<Record<string, readonly string[]>>;

const types = { 1: isIPv4, 28: (address: string) => !isIPv4(address) } as const;

/**
 * Returns the answer to a DNS query with one question (RFC 1035, 4.1).
 * @throws Error for a query that a strict server rejects
 */
export function answerQuery(query: Buffer, zone: Zone): Buffer {
  const isPlain = (query.readUInt16BE(2) & ~0x0100) === 0 && query.readUInt16BE(4) === 1;
  if (!isPlain || query.readUInt32BE(6) !== 0) throw new Error('not a query with one question');
  const { name, end } = nameAt(query, 12);
  const type = query.readUInt16BE(end);
  if (query.readUInt16BE(end + 2) !== 1) throw new Error('not the class IN');
  const found = zone[name];
  const fits = types[type as keyof typeof types];
  const records = (found ?? []).filter((address) => fits?.(address)).map((it) => record(type, it));
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end + 4), ...records]);
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    if (length > 63) throw new Error('a label is too long');
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** The name of a record is a pointer to the question. */
function record(type: number, address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6(address: string): Buffer {
  const [first = '', last = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(first), groups(last)];
  const all = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
