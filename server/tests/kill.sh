#!/usr/bin/env bash
# Kills a hub while it accepts and delivers, 200 times or as often as the argument says, and prints how many deliveries were repeated.
set -euo pipefail
cd "$(dirname "$0")/../.."
HUB_KILLS=${1:-200} cargo test --locked -p resourcesync-server --test hub -- --nocapture --exact killed::nothing_accepted_is_lost_when_a_hub_is_killed
