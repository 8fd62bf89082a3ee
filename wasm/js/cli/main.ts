/** `npx resourcesync`: the part of the command that works without a native program. */

import { init } from "../loading.js";
import { formats } from "../render.js";
import { version } from "../version.js";
import "../node.js";
import { explain, rules } from "./catalogue.js";
import { HELP } from "./help.js";
import { FOUND, reason, say, Trouble, UNSURE } from "./trouble.js";
import { validating } from "./validate.js";

const COMMANDS: Record<string, (rest: string[]) => Promise<number>> = {
  validate: validating,
  explain,
  rules,
};

async function run([command, ...rest]: string[]): Promise<number> {
  if (command === undefined || command === "help" || command === "--help" || command === "-h") {
    process.stdout.write(HELP.all);
    return command === undefined ? UNSURE : 0;
  }
  if (command === "--version" || command === "-V") {
    process.stdout.write(`resourcesync ${version}\n`);
    return 0;
  }
  const own = COMMANDS[command];
  if (!own) throw new Trouble(`there is no command \`${command}\` here; there are ${Object.keys(COMMANDS).join(", ")}`);
  await init();
  if (rest.includes("--help") || rest.includes("-h")) {
    const names = formats().map(({ name }) => name);
    process.stdout.write(HELP[command as keyof typeof HELP].replace("{formats}", names.join(", ")));
    return 0;
  }
  return own(rest);
}

// A reader that closes the pipe early, such as `head`, is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  say("error", `standard output could not be written: ${reason(error)}`);
  // The status of the run may not be known yet.
  process.on("exit", () => {
    if (process.exitCode !== FOUND) process.exitCode = UNSURE;
  });
});
run(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    say("error", error);
    process.exitCode = UNSURE;
  },
);
