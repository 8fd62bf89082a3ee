// How the user divided the view of a report: remembered in this browser.

const KEY = "resourcesync-layout";

export interface Layout {
  /** The share of the findings in the width that they and the detail have. */
  share?: number;
  /** The height of the document of a finding, in pixels. */
  height?: number;
}

let layout: Layout = stored();

/** What was chosen. */
export function chosenLayout(): Layout {
  return layout;
}

/** Takes a change. */
export function arrange(change: Layout): void {
  layout = { ...layout, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(layout));
  } catch {
    // Private windows may reject this, which is harmless.
  }
}

function stored(): Layout {
  try {
    const { share, height } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      ...(typeof share === "number" && share > 0 && share < 1 && { share }),
      ...(typeof height === "number" && height > 0 && height < 10_000 && { height }),
    };
  } catch {
    return {};
  }
}
