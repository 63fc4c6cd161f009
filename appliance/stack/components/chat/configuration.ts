import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase, relayOrigin } from '../relay/base.ts';

/**
 * Renders the settings of NextChat, for the first provider of the site. They contain a relay key and
 * never a provider's key, because a crafted request can make NextChat disclose its key.
 */
export function renderChat({ site, secrets }: StackInput): RenderedFile[] {
  const [first] = Object.keys(site.providers);
  const variables = {
    CODE: secrets.CHAT_ACCESS_CODE ?? '',
    // NextChat appends /v1/….
    BASE_URL: first ? relayBase(first) : relayOrigin,
    OPENAI_API_KEY: secrets.RELAY_KEY_CHAT ?? '',
  };
  return [secretFile('chat/secrets.env', envFile(variables), 'chat')];
}
