import { sourcesBelow, textOf } from './sources.ts';

/** Calls that start a program: `host.run('ip', …)`, also when a formatter has broken the line. */
const calls =
  /(?:\b(?:host|server|machine)\s*\.(?:run|succeeds|runIfInstalled)|\bthroughPipes)\(\s*/g;
const programName = /^'([\w./-]+)'/;
const option = /(?<=['`])(--?[A-Za-z][\w:-]*)/g;

/** Where a program is started whose name is not in the code, as `file: expression`. */
type Unnamed = string;

/**
 * Returns the programs that the appliance starts on a server, with the options in the code of the call,
 * of the constants that it names, and of the constants that these name.
 */
export function calledPrograms(): {
  readonly programs: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unnamed: readonly Unnamed[];
} {
  const programs = new Map<string, Set<string>>();
  const unnamed: Unnamed[] = [];
  for (const path of sourcesBelow('appliance')) {
    const text = textOf(path);
    for (const { index, 0: start } of text.matchAll(calls)) {
      const inside = untilClosed(text, index + start.length);
      const name = programName.exec(inside)?.[1];
      // A command that another call has made.
      if (inside.startsWith('...') || inside.startsWith('file: string')) continue;
      if (name === undefined) {
        unnamed.push(`${path}: ${inside.split(',')[0]?.trim()}`);
        continue;
      }
      const options = programs.get(name) ?? new Set();
      for (const each of optionsIn(inside, text.slice(0, index), text)) options.add(each);
      programs.set(name, options);
    }
  }
  return { programs, unnamed };
}

/** Returns the text up to the bracket that closes the call, strings and templates left as they are. */
function untilClosed(text: string, begin: number): string {
  let depth = 1;
  let quote = '';
  for (let at = begin; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (`'"\``.includes(char)) quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) {
      depth -= 1;
      if (depth === 0) return text.slice(begin, at);
    }
  }
  return text.slice(begin);
}

/** Returns the options in a piece of code, and in the constants that it names. */
function optionsIn(code: string, before: string, text: string, depth = 2): string[] {
  const own = [...code.matchAll(option)].map(([, name = '']) => name);
  if (depth === 0) return own;
  const outside = code.replaceAll(/'[^']*'/g, '');
  const names = new Set(
    [...outside.matchAll(/(?<!\w)(?<!(?:^|[^.])\.)[a-z]\w*\b(?![:(])/g)].map(([name]) => name),
  );
  const constants = [...names].flatMap((name) => {
    const declared = new RegExp(`\\bconst ${name}(?:: [^=]+)? = ([^;]*);`, 'g');
    // The nearest one before the call, or one of the file.
    return [...before.matchAll(declared)].at(-1)?.[1] ?? declared.exec(text)?.[1] ?? [];
  });
  return [...own, ...constants.flatMap((each) => optionsIn(each, before, text, depth - 1))];
}

/** Programs of GNU coreutils that dash has not built in, without those whose names are words of our code. */
const coreutils =
  `arch b2sum base32 base64 basename cat chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dirname du env
  expand expr factor fmt fold groups head id join ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl
  nohup nproc numfmt od paste pathchk pinky pr ptx readlink realpath rm rmdir runcon seq sha1sum sha256sum sha512sum
  shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee timeout touch tr truncate tsort tty uname unexpand
  uniq unlink vdir wc who whoami`.split(/\s+/);

/** Files with shell scripts: of undos, of units and of login messages. */
const hasScript = /#!\/bin\/sh|\bsh',? \[?'?-c|\/bin\/sh -c|restoreScript|rm -f /;

/** Returns the coreutils in shell scripts of the appliance, with their options. */
export function coreutilsInScripts(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const start = String.raw`(?:^|[;&|{\x60'"=]|\b(?:then|do|else)|\$\()\s*(?:\/usr)?(?:\/bin\/)?`;
  const call = new RegExp(
    `${start}(${coreutils.join('|')})((?: -[-\\w]+)*)(?= [/$+'"<>%\\d-]|\\)|\\n)`,
    'gm',
  );
  for (const path of sourcesBelow('appliance')) {
    const text = textOf(path);
    if (!hasScript.test(text)) continue;
    for (const [, name = '', options = ''] of text.matchAll(call)) {
      const known = found.get(name) ?? new Set();
      for (const each of options.trim().split(' ')) if (each) known.add(each);
      found.set(name, known);
    }
  }
  return found;
}
