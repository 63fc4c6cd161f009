import { z } from 'zod';
import { plainLine } from '#contract/text/plain-line.ts';

const count = z.int().min(0).optional();

/** What a provider reports about a subscription in headers. Absent fields were not sent. */
export const subscriptionInfoSchema = z.strictObject({
  /** Bytes. */
  upload: count,
  download: count,
  total: count,
  /** Seconds since 1970. */
  expire: count,
  /** Hours between updates. */
  updateInterval: count,
  /** Name of the file. */
  name: z.string().max(200).optional(),
});

export type SubscriptionInfo = z.infer<typeof subscriptionInfoSchema>;

/** What has headers. */
interface Headers {
  header(name: string): string | undefined;
}

/**
 * Reads `subscription-userinfo`, `profile-update-interval` and `content-disposition`. Invalid values
 * count as not sent.
 */
export function readSubscriptionInfo(response: Headers): SubscriptionInfo {
  const usage = new Map(
    (response.header('subscription-userinfo') ?? '')
      .split(';')
      .map((part) => part.split('=').map((text) => text.trim()))
      .map(([key = '', value = '']) => [key.toLowerCase(), wholeNumber(value)]),
  );
  const info = {
    upload: usage.get('upload'),
    download: usage.get('download'),
    total: usage.get('total') || undefined,
    expire: usage.get('expire') || undefined,
    updateInterval: wholeNumber(response.header('profile-update-interval') ?? '') || undefined,
    name: fileName(response.header('content-disposition') ?? '') || undefined,
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

/** Parses digits; providers also send `1.5e9` and fractions. */
function wholeNumber(text: string): number | undefined {
  if (!/^\d{1,16}(?:\.\d{1,16})?(?:e\+?\d{1,2})?$/i.test(text.trim())) return undefined;
  const number = Math.floor(Number(text));
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns the file name of RFC 6266, of which `filename*` is preferred. */
function fileName(header: string): string {
  const extended = /filename\*\s*=\s*UTF-8'[^']*'([^;]+)/i.exec(header)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(header);
  return plainLine(decoded(extended) ?? decoded(plain?.[1] ?? plain?.[2]) ?? '', 100);
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.trim());
  } catch {
    return text;
  }
}
