package darwin

import (
	"image"

	"clade/engine"
)

// Sizes of the isometric view, in pixels at scale 1 (handbook, section 10): the middle of the
// ground square lies in the middle of a sprite, 8 pixels above its lower edge.
const (
	tileWidth    = 40
	tileHeight   = 20
	spriteWidth  = 40
	spriteHeight = 60
	spriteFoot   = 8
	wallHeight   = 26
)

// spriteKey names a sprite: what stands there, which way it faces and whether it is enchanted.
type spriteKey struct {
	breed     breed
	facing    direction
	enchanted bool
}

// drawIsometric looks from the south over the lower corner of the map: x grows to the lower right,
// y to the lower left. What is farther away is drawn first.
func (s *scene) drawIsometric(img *image.Paletted, scale int) {
	engine.Fill(img, img.Rect, inkClear)
	g := s.w.ground
	for sum := 0; sum <= g.width+g.height-2; sum++ {
		for x := max(0, sum-g.height+1); x <= min(sum, g.width-1); x++ {
			s.drawTile(img, x, sum-x, scale)
		}
	}
}

// tileMiddle returns the pixel in the middle of a square's ground, at scale 1.
func (s *scene) tileMiddle(x, y int) image.Point {
	return image.Pt((x-y+s.w.ground.height)*tileWidth/2,
		(x+y+1)*tileHeight/2+spriteHeight-tileHeight)
}

// tileAt is the inverse of tileMiddle for any pixel of the ground.
func (s *scene) tileAt(at image.Point, scale int) (x, y int) {
	u := at.X - s.w.ground.height*tileWidth/2*scale
	v := at.Y - (spriteHeight-tileHeight)*scale
	return floorDiv(u+2*v, tileWidth*scale), floorDiv(2*v-u, tileWidth*scale)
}

// drawTile draws the ground of a square and what stands on it.
func (s *scene) drawTile(img *image.Paletted, x, y, scale int) {
	g := s.w.ground
	i := g.cell(x, y)
	m := s.tileMiddle(x, y)
	corner := image.Pt((m.X-spriteWidth/2)*scale, (m.Y+spriteFoot-spriteHeight)*scale)
	p := painter{img,
		image.Rectangle{corner, corner.Add(image.Pt(spriteWidth*scale, spriteHeight*scale))},
		spriteWidth}
	const middle = spriteHeight - spriteFoot
	p.ground(middle, g.terrain[i], s.lane)
	switch what := s.w.cells[i]; {
	case what > 0:
		b := &s.w.bodies[what-1]
		blit(img, s.sprite(spriteKey{b.breed, b.facing, b.enchanted}), corner, scale)
	case what == hazard:
		p.thorns(middle)
	case what < 0:
		p.cube(middle, wallInks[-what-1])
	}
}

// diamond fills the ground square around the given height.
func (p painter) diamond(middle int, ink uint8) {
	p.polygon(ink, 20, middle-10, 40, middle, 20, middle+10, 0, middle)
}

// ground paints the floor with what lies on it; the first species has the colour of seat first.
func (p painter) ground(middle int, t terrain, first int) {
	p.diamond(middle, inkGrid)
	p.polygon(inkFloor, 20, middle-9, 39, middle, 20, middle+9, 1, middle)
	if t&mud != 0 {
		p.diamond(middle, inkMud)
		p.ellipse(13, middle-1, 5, 2, inkMudDark)
		p.ellipse(25, middle+3, 6, 2, inkMudDark)
		p.ellipse(23, middle-4, 4, 1, inkMudDark)
	}
	if t&fog != 0 {
		p.ellipse(14, middle-1, 10, 4, inkFog)
		p.ellipse(26, middle+1, 10, 4, inkFog)
		p.ellipse(20, middle-4, 8, 3, inkFog)
	}
	if t&shrine != 0 {
		ink := uint8(inkShrine)
		if owner := t.owner(); owner != none {
			ink = bodyInk(first + owner.seat())
		}
		p.polygon(ink, 20, middle-8, 36, middle, 20, middle+8, 4, middle)
		p.polygon(inkFloor, 20, middle-5, 30, middle, 20, middle+5, 10, middle)
		p.polygon(ink, 20, middle-2, 24, middle, 20, middle+2, 16, middle)
	}
}

// cube paints a wall.
func (p painter) cube(middle int, inks [3]uint8) {
	top := middle - wallHeight
	p.polygon(inks[1], 0, top, 20, top+10, 20, middle+10, 0, middle)
	p.polygon(inks[2], 40, top, 40, middle, 20, middle+10, 20, top+10)
	p.diamond(top, inks[0])
}

// thorns paint a hazard.
func (p painter) thorns(middle int) {
	p.ellipse(20, middle, 15, 7, inkThorn)
	for _, k := range [5][2]int{{9, 12}, {15, 20}, {20, 26}, {26, 18}, {31, 11}} {
		p.polygon(inkThorn, k[0]-3, middle, k[0], middle-k[1], k[0]+3, middle)
		p.polygon(inkThornTip, k[0]-1, middle-k[1]+6, k[0], middle-k[1], k[0]+1, middle-k[1]+6)
	}
}

// sprite returns the picture of a creature, drawn when it is first needed.
func (s *scene) sprite(k spriteKey) *image.Paletted {
	if img, ok := s.sprites[k]; ok {
		return img
	}
	img := image.NewPaletted(image.Rect(0, 0, spriteWidth, spriteHeight), palette())
	p := painter{img, img.Bounds(), spriteWidth}
	const middle = spriteHeight - spriteFoot
	p.ellipse(20, middle, 13, 6, inkShadow)
	if k.enchanted {
		p.ellipse(20, middle, 17, 8, inkGlow)
	}
	switch k.breed {
	case apple:
		p.ellipse(20, middle-7, 9, 8, inkApple)
		p.ellipse(17, middle-10, 3, 2, inkEye)
		p.box(19, middle-19, 21, middle-13, inkChestDark)
		p.ellipse(24, middle-17, 4, 2, inkLeaf)
	case flytrap:
		p.flytrap(k.facing)
	case treasure:
		p.polygon(inkChestDark, 6, middle-8, 20, middle-1, 20, middle+6, 6, middle-1)
		p.polygon(inkChest, 34, middle-8, 20, middle-1, 20, middle+6, 34, middle-1)
		p.polygon(inkGold, 20, middle-17, 34, middle-10, 20, middle-3, 6, middle-10)
		p.polygon(inkChest, 20, middle-23, 34, middle-16, 20, middle-12, 6, middle-16)
	default:
		p.walker(s.seat(k.breed), k.facing)
	}
	s.sprites[k] = img
	return img
}

// ahead returns where a direction points on the screen, as signs.
func ahead(d direction) (x, y int) {
	return [4]int{1, -1, -1, 1}[d], [4]int{-1, -1, 1, 1}[d]
}

// walker paints a creature of a species: a body on two feet with a head that looks ahead; from
// behind one sees no eyes.
func (p painter) walker(seat int, d direction) {
	const middle = spriteHeight - spriteFoot
	body, shade := bodyInk(seat), shadeInk(seat)
	x, y := ahead(d)
	p.ellipse(15, middle, 4, 3, shade)
	p.ellipse(25, middle, 4, 3, shade)
	nose := func() { p.ellipse(20+7*x, middle-26+3*y, 4, 3, shade) }
	if y < 0 {
		nose()
	}
	p.ellipse(20, middle-12, 11, 12, body)
	p.ellipse(20-4*x, middle-10, 6, 9, shade)
	p.ellipse(20+2*x, middle-28, 9, 9, body)
	if y > 0 {
		p.ellipse(20+2*x-2, middle-30, 3, 3, inkEye)
		p.ellipse(20+2*x+5, middle-30, 3, 3, inkEye)
		p.ellipse(20+3*x-2, middle-29, 1, 2, inkPupil)
		p.ellipse(20+3*x+5, middle-29, 1, 2, inkPupil)
		nose()
	}
}

// flytrap paints two jaws on a stem, open toward its facing.
func (p painter) flytrap(d direction) {
	const middle = spriteHeight - spriteFoot
	x, y := ahead(d)
	p.box(19, middle-16, 22, middle, inkLeafDark)
	p.ellipse(13, middle-2, 7, 3, inkLeaf)
	p.ellipse(27, middle-2, 7, 3, inkLeaf)
	p.ellipse(20, middle-24, 12, 11, inkLeaf)
	p.ellipse(20+4*x, middle-24+2*y, 8, 7, inkApple)
	for k := -2; k <= 2; k++ {
		p.box(20+4*x+3*k, middle-30+2*y, 21+4*x+3*k, middle-26+2*y, inkEye)
		p.box(20+4*x+3*k, middle-21+2*y, 21+4*x+3*k, middle-17+2*y, inkEye)
	}
}

// blit puts a sprite into the picture; its clear pixels stay as they are.
func blit(img, sprite *image.Paletted, corner image.Point, scale int) {
	for y := range spriteHeight * scale {
		for x := range spriteWidth * scale {
			if ink := sprite.ColorIndexAt(x/scale, y/scale); ink != inkClear {
				if at := corner.Add(image.Pt(x, y)); at.In(img.Rect) {
					img.SetColorIndex(at.X, at.Y, ink)
				}
			}
		}
	}
}
