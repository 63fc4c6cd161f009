import { useMemo } from 'preact/hooks';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import type { PinnedRelease } from '../../../bundle/released/pinned-release.ts';
import { describeExplanation, explanationRows } from '../../../deliver/explain/describe.ts';
import type { Explanation } from '../../../deliver/explain/explain-paste.ts';
import { ErrorBox } from '../error-box.tsx';
import { maxFileBytes } from '../release.ts';
import { decompressed, explanationOf } from '../result.ts';
import { Rows } from '../rows.tsx';
import { say } from '../say.ts';

interface ReadStepProps {
  /** The verified releases of the first step; empty if there are none. */
  readonly releases: readonly PinnedRelease[];
  readonly bytes: Uint8Array | undefined;
  readonly onRead: (bytes: Uint8Array | undefined) => void;
}

/** Reads the user-data of another person. Nothing of it is run or loaded. */
export function ReadStep({ releases, bytes, onRead }: ReadStepProps) {
  const outcome = useMemo(() => bytes && explanationOf(bytes, releases), [bytes, releases]);
  const open = async (file: File | undefined) => {
    if (!file) return;
    const content = await file.slice(0, maxFileBytes).arrayBuffer();
    onRead(await decompressed(new Uint8Array(content)));
  };
  return (
    <section id="read" aria-labelledby="read-title">
      <h2 id="read-title">{say("Read another person's user-data", '查看他人给您的 user-data')}</h2>
      <p>
        {say(
          'Before you paste what someone gave you: see what it does, and everything in it that Landfall would not write.',
          '在粘贴他人给您的内容之前：看看它会做什么，以及其中不是由 Landfall 写入的内容。',
        )}
      </p>
      <textarea
        id="other"
        aria-label={say("Another person's user-data", '他人的 user-data')}
        rows={4}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) =>
          onRead(value === '' ? undefined : encodeUtf8(value))
        }
      />
      <label class="button">
        {say('Choose a file', '选择文件')}
        <input
          type="file"
          onChange={({ currentTarget }) => {
            open(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </label>
      {outcome?.error && <ErrorBox error={outcome.error} />}
      {outcome?.value && <Explained explanation={outcome.value} />}
    </section>
  );
}

function Explained({ explanation }: { readonly explanation: Explanation }) {
  return (
    <>
      <Rows rows={explanationRows(explanation)} />
      {!explanation.isCompared && (
        <p>
          {say(
            'Its scripts and keys cannot be compared: choose the files of its release in step 1.',
            '无法比较其中的脚本和公钥：请在第 1 步选择它的版本的文件。',
          )}
        </p>
      )}
      <pre
        id="explained"
        role="status"
        class={explanation.findings.length > 0 ? 'warnings' : 'good'}
      >
        {describeExplanation(explanation).sentences}
      </pre>
    </>
  );
}
