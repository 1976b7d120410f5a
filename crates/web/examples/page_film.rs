//! Records the animations of the README: a cascade of Jump61, and an analysis of Lines of Action. They are animated PNG
//! files, which browsers show like other images.
//!
//! ```sh
//! cargo run --release -p plyhouse-web --example page_film -- docs
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use devtools::Browser;
use web::Server;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A position with Red to move, in which a spot on the first square captures the whole board.
const FULL: &str =
    "play?game=jump61&start=2r3r2b3b3b2b/3r4r3b4b3b3b/3b4b4b3b4b3b/2b3b4b4b3b3b/3b4b3b4b4b2b/2b3b3b2b3b2b";
const GAME: &str = "analyse?game=loa&moves=b1-b3,h7-f7,d8-b6,h5-f5,f1-f5,h4-f2,g1-g3,h2-e2";

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: page_film FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let server = Server::bind(None, engine::Resources::default())?;
    let address = server.address();
    thread::spawn(move || server.run());
    let mut browser = Browser::start()?;

    browser.open(&format!("{address}#/{FULL}"), 1000, 700)?;
    browser.wait_for("document.querySelector('.square.movable') !== null")?;
    let mut film = Film::of(&mut browser, Some(".squares"))?;
    film.run(&mut browser, 0.6)?;
    browser.click("[data-place='0,0']")?;
    film.run(&mut browser, 6.0)?;
    film.write(&folder.join("page-cascade.png"))?;

    browser.open("about:blank", 1000, 620)?;
    browser.open(&format!("{address}#/{GAME}"), 1000, 620)?;
    browser.wait_for("document.querySelector('.arrow') !== null")?;
    let mut film = Film::of(&mut browser, None)?;
    film.run(&mut browser, 1.5)?;
    for key in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight"] {
        browser.press(key)?;
        film.run(&mut browser, 0.9)?;
    }
    for key in ["x", "x"] {
        browser.press(key)?;
        film.run(&mut browser, 1.5)?;
    }
    film.write(&folder.join("page-analysis-film.png"))
}

/// Screenshots of a part of the window, with their times.
struct Film {
    part: Option<[f64; 4]>,
    size: (u32, u32),
    frames: Vec<(Instant, Vec<u8>)>,
}

impl Film {
    /// Films the first element that matches a selector, or the whole window.
    fn of(browser: &mut Browser, selector: Option<&str>) -> Result<Self> {
        let part = match selector {
            None => None,
            Some(selector) => {
                let place = browser.eval(&format!(
                    "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); \
                     return [r.x, r.y, r.width, r.height].map(Math.round); }})()"
                ))?;
                Some(serde_json::from_value(place)?)
            }
        };
        Ok(Self { part, size: (0, 0), frames: Vec::new() })
    }

    /// Films for this number of seconds.
    fn run(&mut self, browser: &mut Browser, seconds: f64) -> Result<()> {
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        while Instant::now() < end {
            let at = Instant::now();
            let mut reader = png::Decoder::new(std::io::Cursor::new(browser.picture(self.part)?)).read_info()?;
            let mut pixels = vec![0; reader.output_buffer_size().ok_or("a picture of endless size")?];
            let info = reader.next_frame(&mut pixels)?;
            let pixels = match info.color_type {
                png::ColorType::Rgba => pixels,
                png::ColorType::Rgb => pixels.chunks(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 255]).collect(),
                other => return Err(format!("a picture with the colours {other:?}").into()),
            };
            self.size = (info.width, info.height);
            if self.frames.last().is_none_or(|(_, before)| *before != pixels) {
                self.frames.push((at, pixels));
            }
        }
        Ok(())
    }

    /// Writes the film, which repeats two seconds after its end.
    fn write(&self, path: &Path) -> Result<()> {
        let (width, height) = self.size;
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_compression(png::Compression::High);
        encoder.set_animated(u32::try_from(self.frames.len())?, 0)?;
        let mut writer = encoder.write_header()?;
        for (i, (at, pixels)) in self.frames.iter().enumerate() {
            let shown = self.frames.get(i + 1).map_or(Duration::from_secs(2), |(next, _)| next.duration_since(*at));
            writer.set_frame_delay(u16::try_from(shown.as_millis())?, 1000)?;
            if i == 0 {
                writer.write_image_data(pixels)?;
                continue;
            }
            let change = Change::between(&self.frames[i - 1].1, pixels, width as usize);
            writer.set_blend_op(png::BlendOp::Over)?;
            writer.reset_frame_position()?;
            writer.set_frame_dimension(change.width as u32, change.height as u32)?;
            writer.set_frame_position(change.left as u32, change.top as u32)?;
            writer.write_image_data(&change.pixels)?;
        }
        writer.finish()?;
        let bytes = path.metadata()?.len();
        let (name, count) = (path.display(), self.frames.len());
        writeln!(std::io::stdout(), "{name}: {count} pictures of {width} by {height} pixels, {bytes} bytes")?;
        Ok(())
    }
}

/// The smallest rectangle with all changed pixels. Unchanged pixels in it are transparent.
struct Change {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Change {
    fn between(before: &[u8], after: &[u8], width: usize) -> Self {
        let at = |i: usize| (i % width, i / width);
        let changed: Vec<bool> = before.chunks(4).zip(after.chunks(4)).map(|(a, b)| a != b).collect();
        let places: Vec<(usize, usize)> = (0..changed.len()).filter(|&i| changed[i]).map(at).collect();
        let left = places.iter().map(|place| place.0).min().unwrap_or(0);
        let right = places.iter().map(|place| place.0).max().unwrap_or(0);
        let top = places.first().map_or(0, |place| place.1);
        let bottom = places.last().map_or(0, |place| place.1);
        let inside = (top..=bottom).flat_map(|row| (left..=right).map(move |column| row * width + column));
        let pixel = |i: usize| if changed[i] { &after[4 * i..4 * i + 4] } else { &[0; 4] };
        let pixels = inside.flat_map(|i| pixel(i).to_vec()).collect();
        Self { left, top, width: right - left + 1, height: bottom - top + 1, pixels }
    }
}
