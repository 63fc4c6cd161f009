import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Channel,
  channelFile,
  channelSignatureFile,
  decodeChannel,
  encodeChannel,
  maxChannelBytes,
} from '#contract/channel/channel.ts';
import { type VerifiedChannel, verifyChannel } from '#contract/channel/newest.ts';
import { LandfallError } from '#contract/errors.ts';
import { firstAnchor } from '#contract/trust/anchor.ts';
import { maxSignatureBytes } from '#contract/trust/keys.ts';
import { orFileError } from '#files/file-error.ts';
import { readRegular } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { makeFolder } from '../../base/files/folder.ts';
import type { SigningKey } from '../../bundle/sign/private-key.ts';
import { signDer } from '../../bundle/sign/sign-release.ts';
import { lastRotation } from './rotations.ts';

/** How long a signed channel is valid, in days: maintainers sign it again every 45 days. */
const validDays = 60;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Reads the channel of a folder, signed or not.
 * @returns undefined if the folder has none
 * @throws LandfallError CHANNEL_INVALID, also for unknown fields; FILE_ACCESS
 */
export async function readChannel(folder: string): Promise<Channel | undefined> {
  const bytes = await readRegular(join(folder, channelFile), maxChannelBytes + 1);
  return bytes && decodeChannel(bytes, 'reject').channel;
}

/** Reads a channel of any file name. @throws LandfallError FILE_MISSING, FILE_ACCESS, CHANNEL_INVALID */
export async function readChannelFile(path: string): Promise<Channel> {
  const bytes = await readRegular(path, maxChannelBytes + 1);
  if (bytes) return decodeChannel(bytes, 'reject').channel;
  throw new LandfallError('FILE_MISSING', `${path} does not exist`, {
    hint: 'Use the output folder of `landfall build`, or the file of a channel.',
  });
}

/** Writes a changed channel. It has no signature until it is signed. @throws LandfallError FILE_… */
export async function writeUnsigned(folder: string, channel: Channel): Promise<void> {
  const bytes = checked(channel);
  await orFileError(folder, makeFolder(folder));
  const path = join(folder, channelFile);
  await orFileError(path, rm(join(folder, channelSignatureFile), { force: true }));
  await orFileError(path, replaceFile(path, bytes));
}

/**
 * Signs the channel of a folder with the next serial and a new time, and verifies the result with the
 * code of the server.
 * @throws LandfallError CHANNEL_UNTRUSTED if the keys after the last rotation do not have this key
 */
export async function signChannel(
  folder: string,
  key: SigningKey,
  now: Date,
): Promise<VerifiedChannel> {
  const before = await existingChannel(folder);
  const rotated = await lastRotation(dirname(folder), before.product);
  const trust = rotated?.trust ?? 0;
  const created = instant(now);
  const channel: Channel = {
    ...before,
    // Every rotation of the keys starts at 0 again.
    serial: before.trust === trust ? before.serial + 1 : 1,
    created,
    expires: instant(new Date(now.getTime() + validDays * dayMs)),
    trust,
  };
  const bytes = checked(channel);
  const signature = signDer(bytes, key.key);
  const anchor = rotated ?? firstAnchor({ release: [key.public], recovery: undefined });
  const verified = verifyChannel({ bytes, signature }, { ...anchor, trust }, channel.product);
  const path = join(folder, channelFile);
  await orFileError(path, replaceFile(path, bytes));
  await orFileError(path, replaceFile(join(folder, channelSignatureFile), signature));
  return verified;
}

/** Returns the channel of a folder. @throws LandfallError FILE_MISSING */
export async function existingChannel(folder: string): Promise<Channel> {
  const channel = await readChannel(folder);
  if (channel) return channel;
  throw new LandfallError('FILE_MISSING', `${folder} has no ${channelFile}`, {
    hint: 'Add a release first: landfall channel add <release folder>.',
  });
}

/** Returns whether the channel of a folder has a signature. */
export async function isSigned(folder: string): Promise<boolean> {
  return (await readRegular(join(folder, channelSignatureFile), maxSignatureBytes)) !== undefined;
}

/**
 * Returns the encoding of a channel that every server accepts.
 * @throws LandfallError CHANNEL_INVALID, such as for one that is too large
 */
function checked(channel: Channel): Uint8Array {
  const bytes = encodeChannel(channel);
  decodeChannel(bytes, 'reject');
  return bytes;
}

/** Formats a time in whole seconds, as the documents have it. */
export function instant(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
