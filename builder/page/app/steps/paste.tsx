import { useRef, useState } from 'preact/hooks';
import type { Site } from '#contract/site/site.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { translated } from '#contract/text/translated.ts';
import {
  type Format,
  formats,
  providers,
  smallestLimit,
} from '../../../deliver/user-data/providers.ts';
import type { RenderedUserData } from '../../../deliver/user-data/render.ts';
import { ErrorBox } from '../error-box.tsx';
import type { Outcome } from '../outcome.ts';
import type { Choices } from '../result.ts';
import { saveFile } from '../save-file.ts';
import { say } from '../say.ts';
import { Instructions } from './instructions.tsx';
import { Step } from './step.tsx';

interface PasteStepProps {
  readonly choices: Choices;
  readonly outcome: Outcome<RenderedUserData> | undefined;
  readonly hasRelease: boolean;
  readonly site: Site | undefined;
  readonly onChange: (changes: Partial<Choices>) => void;
}

/** The user-data, for one provider or for all. */
export function PasteStep({ choices, outcome, hasRelease, site, onChange }: PasteStepProps) {
  const { provider = '', format = '' } = choices;
  return (
    <Step id="paste" number={4} title={say('Paste', '粘贴')}>
      <div class="row">
        <label>
          {say('Provider', '云服务商')}
          <select
            id="provider"
            value={provider}
            onChange={({ currentTarget: { value } }) => onChange({ provider: value || undefined })}
          >
            <option value="">{say('any: the smallest limit applies', '任意：按最小的限制')}</option>
            {Object.entries(providers).map(([name, { name: title }]) => (
              <option key={name} value={name}>
                {translated(title)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say('Format', '格式')}
          <select
            id="format"
            value={format}
            onChange={({ currentTarget: { value } }) =>
              onChange({ format: (value || undefined) as Format | undefined })
            }
          >
            <option value="">{say('that of the provider', '云服务商的格式')}</option>
            {pageFormats.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!hasRelease && <p>{say('The release is missing.', '还缺少版本。')}</p>}
      {!site && (
        <p>{say('The settings of the server are not complete.', '服务器的设置还不完整。')}</p>
      )}
      {outcome?.error && <ErrorBox error={outcome.error} />}
      {outcome?.value && site && (
        <Result rendered={outcome.value} provider={provider} site={site} />
      )}
    </Step>
  );
}

/** Browsers compress with another library than Node, so the bytes would differ. */
const pageFormats = formats.filter((format) => format !== 'gzip');

interface ResultProps {
  readonly rendered: RenderedUserData;
  /** Short name; empty: not chosen. */
  readonly provider: string;
  readonly site: Site;
}

function Result({ rendered: { bytes, format, warnings }, provider, site }: ResultProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState('');
  const name = format === 'shell' ? 'user-data.sh' : 'user-data.yaml';
  const copy = async () => setSaid((await copied(field.current)) ? say('Copied.', '已复制。') : '');
  return (
    <>
      <Size size={bytes.length} limit={limitOf(provider, format)} />
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map((warning) => (
            <li key={warning}>{translated(warning)}</li>
          ))}
        </ul>
      )}
      <textarea
        id="user-data"
        ref={field}
        rows={12}
        readonly
        aria-label={name}
        value={decodeUtf8(bytes)}
      />
      <div class="row">
        <button type="button" onClick={copy}>
          {say('Copy', '复制')}
        </button>
        <button type="button" onClick={() => saveFile(name, bytes)}>
          {say(`Save ${name}`, `保存 ${name}`)}
        </button>
        <span role="status">{said}</span>
      </div>
      <Instructions {...{ provider, format, name, site }} />
    </>
  );
}

/** Copies the text of a field. Pages of plain http have no clipboard, but the command of the editor. */
async function copied(field: HTMLTextAreaElement | null): Promise<boolean> {
  if (!field) return false;
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand('copy');
  }
}

/** Returns the limit that applies, in bytes. */
function limitOf(provider: string, format: Format): number {
  return providers[provider]?.limits[format] ?? smallestLimit(format);
}

/** The size against the limit, as a bar and in words. */
function Size({ size, limit }: { readonly size: number; readonly limit: number }) {
  return (
    <p role="status">
      <meter min={0} max={limit} high={limit} value={size} aria-hidden="true" />{' '}
      {say(`${size} of ${limit} bytes`, `${size} 字节，限制为 ${limit} 字节`)}
    </p>
  );
}
