/** Plays the transcripts of harvests and of checks on any platform. */

const decoder = new TextDecoder();
const text = (bytes) => (bytes === undefined ? null : decoder.decode(bytes));

/** True if two values differ in nothing but the order of their members. */
export function isSame(one, other) {
  const sorted = (_, value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value);
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

/** Bytes from hexadecimal digits. */
export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** A record as the transcripts show it. */
export const shown = ({ identifier, datestamp, isDeleted, sets, metadata, standalone, about }) => ({
  identifier,
  datestamp: datestamp ?? null,
  isDeleted,
  sets: [...sets],
  metadata: text(metadata),
  standalone: text(standalone),
  about: about.map(text),
});

/** The options of a transcript by their names in JavaScript. */
function options(own) {
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null).map(([name, value]) => [camel(name), value]));
}

function pushed(machine, all) {
  for (let at = 0; at < all.length; at += 1000) if (!machine.push(all.subarray(at, at + 1000))) break;
}

/** Plays a harvest: what was expected and what happened, step by step, with the proof at the end. */
export function harvested(Harvest, one) {
  let { now } = one;
  const machine = new Harvest(one.url, { ...options(one.options), now: () => now, seed: 0 });
  const answers = one.answers.values();
  const [expected, found] = [[], []];
  for (const step of one.steps) {
    const own = machine.step();
    if (step.wait !== undefined) {
      expected.push({ step: "wait", ms: step.wait, why: step.why });
      found.push(own);
      now += step.wait;
      continue;
    }
    const { status, contentType, retryAfter, date, fail, ms, body } = answers.next().value;
    const headers = Object.entries({ "Content-Type": contentType, "Retry-After": retryAfter, Date: date }).filter(([, value]) => value !== null);
    if (fail === null || fail[1] !== "nothing") machine.begin(status, headers);
    now += ms;
    let records;
    if (fail === null) {
      pushed(machine, bytes(body));
      records = machine.end();
    } else {
      if (fail[1] === "part") machine.push(new TextEncoder().encode("<OAI-PMH>"));
      records = machine.failed("it broke off", fail[0] === "timeout");
    }
    expected.push(["request", step.url, step.form, step.records]);
    found.push([own.step, own.url, own.form ?? null, records.map(shown)]);
  }
  expected.push("done", one.proof);
  found.push(machine.step().step, machine.json);
  return { expected, found };
}

/** Plays a check: what was expected and what happened, step by step, with the report at the end. */
export function checked(ProviderCheck, one, bodies) {
  let { now } = one;
  const check = new ProviderCheck(one.url, { ...one.options, now: () => now, allHeaders: true });
  const [expected, found] = [[], []];
  for (const { response, ...step } of one.steps) {
    expected.push(step);
    found.push(check.step());
    if (step.step === "wait") {
      now += step.ms;
      continue;
    }
    now += 200;
    if (response.status === 0) {
      check.failed("it broke off");
      continue;
    }
    check.begin(response.status, Object.entries(response.headers));
    pushed(check, bytes(bodies[response.body]));
    check.end();
  }
  expected.push("done", one.report);
  found.push(check.step().step, `${JSON.stringify(check.report(), null, 2)}\n`);
  return { expected, found };
}
